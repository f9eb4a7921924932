# Records network activity for Netstitch. Started by netstitch-record.cmd.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# commands.txt contains each command line that it runs; the profiles define what is recorded.

Set-StrictMode -Version 2
$ErrorActionPreference = 'Stop'

# A policy allows scripts, but not calls of .NET: only the plain commands of the .cmd remain.
if ([string]$ExecutionContext.SessionState.LanguageMode -ne 'FullLanguage') {
    Write-Output 'This Windows lets scripts run in a constrained language only.'
    exit 9
}
# The .cmd runs this after a failure to find out whether scripts are allowed.
if ($args.Length -eq 1 -and [string]$args[0] -eq 'probe') {
    exit 7
}

$Here = Split-Path -Parent $MyInvocation.MyCommand.Path
$Folder = Join-Path $env:USERPROFILE 'Netstitch'
$Work = Join-Path $Folder 'recording'
$StateFile = Join-Path $Work 'state.txt'
$System = Join-Path $env:SystemRoot 'System32'
$Instance = 'Netstitch'
$MegaBytes = 2048
$PacketBytes = 128
$FirstWprWithFilters = 15002
$FirstWprWithSkipPdb = 18955
$FirstBuildWithPktmon = 19041
$FirstBuildWithCut = 9600
$Privacy = @(
    'The recording holds names of programs and of this computer, addresses, host names, full URLs with what',
    'follows the question mark, and the headers of requests, in which cookies and sign-in tokens may stand. It',
    'holds no page contents, no passwords typed, no files. Send it only to whom you would show all that; delete',
    'it afterwards. -NoHeaders leaves the headers out. netstitch-cli export --as etl can make a copy with less.'
)
$Verbs = @('start', 'stop', 'status', 'cancel', 'view', 'help')
$LayerNames = @('http', 'sockets', 'connections', 'names', 'ldap', 'counters', 'tls', 'quic', 'browsers',
    'office', 'environment', 'server', 'processor')

# Options of the command line.
$Verb = ''
$File = ''
$Layers = ''
$Lite = $false
$Full = $false
$NoStacks = $false
$NoHeaders = $false
$Clr = $false
$Js = $false
$Loop = $false
$Boot = $false
$Packets = -1
$Minutes = 0
$Out = ''
$DryRun = $false
$Yes = $false

# Entries that a dry run would write to state.txt.
$DryState = @{}

# ---------------------------------------------------------------- messages

function Stop-Script ([int]$Code, [string]$What, [string]$Next) {
    Write-Host $What
    if ($Next -ne '') {
        Write-Host ('  Next: ' + $Next)
    }
    exit $Code
}

# Returns the edit distance of two words.
function Get-Distance ([string]$A, [string]$B) {
    $row = New-Object 'int[]' ($B.Length + 1)
    for ($j = 0; $j -le $B.Length; $j++) {
        $row[$j] = $j
    }
    for ($i = 1; $i -le $A.Length; $i++) {
        $corner = $row[0]
        $row[0] = $i
        for ($j = 1; $j -le $B.Length; $j++) {
            $cost = 1
            if ($A[$i - 1] -eq $B[$j - 1]) {
                $cost = 0
            }
            $best = [Math]::Min([Math]::Min($row[$j] + 1, $row[$j - 1] + 1), $corner + $cost)
            $corner = $row[$j]
            $row[$j] = $best
        }
    }
    return $row[$B.Length]
}

function Get-Nearest ([string]$Word, [string[]]$Known) {
    $best = $Known[0]
    foreach ($one in $Known) {
        if ((Get-Distance $Word $one.ToLowerInvariant()) -lt (Get-Distance $Word $best.ToLowerInvariant())) {
            $best = $one
        }
    }
    return $best
}

function Show-Help {
    Write-Host 'netstitch-record VERB [options]'
    Write-Host ''
    Write-Host '  start    starts a recording          status   says what is being recorded'
    Write-Host '  stop     stops it and makes a zip    cancel   stops it and keeps nothing'
    Write-Host '  view     shows the zip               help     prints this'
    Write-Host ''
    Write-Host 'Options of start:'
    Write-Host '  -Layers a,b   only these: http, sockets, connections, names, ldap, counters, tls, quic,'
    Write-Host '                browsers, office, environment, server, processor'
    Write-Host '  -Lite         what rows are made of     -Full         everything but secrets'
    Write-Host '  -NoStacks     no call stacks            -NoHeaders    no headers of requests'
    Write-Host '                (an old wpr.exe, or netsh, records headers all the same; start says so)'
    Write-Host '  -Clr          names of .NET functions   -Js           names of JavaScript functions'
    Write-Host '  -Loop         the last minutes before stop, in memory'
    Write-Host '  -Boot         the next restart; stop after it'
    Write-Host '  -Packets [N]  packets, too, N bytes of each (128; 0: whole)'
    Write-Host '  -Minutes N    stops by itself           -Out FILE     where the zip goes'
    Write-Host '  -DryRun       prints what would be done -Yes          answers questions with yes'
    Write-Host ''
    Write-Host 'Examples:'
    Write-Host '  netstitch-record start'
    Write-Host '  netstitch-record start -Layers http,names -Minutes 5'
    Write-Host '  netstitch-record start -Loop -Packets'
}

# ---------------------------------------------------------------- options

function Read-Options ([string[]]$Words) {
    $known = @('Layers', 'Lite', 'Full', 'NoStacks', 'NoHeaders', 'Clr', 'Js', 'Loop', 'Boot', 'Packets',
        'Minutes', 'Out', 'DryRun', 'Yes')
    $i = 0
    while ($i -lt $Words.Length) {
        $word = [string]$Words[$i]
        $name = $word.TrimStart('-').TrimStart('/').ToLowerInvariant()
        $next = ''
        if ($i + 1 -lt $Words.Length) {
            $next = [string]$Words[$i + 1]
        }
        $i++
        if ($name -eq '?' -or $name -eq 'h') {
            $script:Verb = 'help'
            continue
        }
        if ($script:Verb -eq '' -and $Verbs -contains $name) {
            $script:Verb = $name
            continue
        }
        if ($script:Verb -eq 'view' -and $script:File -eq '' -and -not $word.StartsWith('-')) {
            $script:File = $word
            continue
        }
        switch ($name) {
            'layers' {
                if ($next -notmatch '^[A-Za-z]') {
                    Stop-Script 2 '-Layers wants names of layers.' 'netstitch-record start -Layers http,names'
                }
                $script:Layers = $next
                $i++
            }
            'lite' { $script:Lite = $true }
            'full' { $script:Full = $true }
            'nostacks' { $script:NoStacks = $true }
            'noheaders' { $script:NoHeaders = $true }
            'clr' { $script:Clr = $true }
            'js' { $script:Js = $true }
            'loop' { $script:Loop = $true }
            'boot' { $script:Boot = $true }
            'packets' {
                $script:Packets = $PacketBytes
                if ($next -match '^[0-9]+$') {
                    if ($next.Length -gt 5 -or [int]$next -gt 65535) {
                        Stop-Script 2 ('-Packets wants at most 65535 bytes: ' + $next) 'netstitch-record start -Packets 128; 0 records them whole'
                    }
                    $script:Packets = [int]$next
                    $i++
                }
            }
            'minutes' {
                if ($next -notmatch '^[0-9]{1,4}$' -or [int]$next -eq 0) {
                    Stop-Script 2 ('-Minutes wants a number: ' + $next) 'netstitch-record start -Minutes 5'
                }
                $script:Minutes = [int]$next
                $i++
            }
            'out' {
                if ($next -eq '' -or $next.StartsWith('-')) {
                    Stop-Script 2 '-Out wants the name of a file.' 'netstitch-record start -Out C:\Temp\trace.zip'
                }
                try {
                    $script:Out = [System.IO.Path]::GetFullPath($next)
                } catch {
                    Stop-Script 2 ('That is no name of a file: ' + $next) 'netstitch-record start -Out C:\Temp\trace.zip'
                }
                $i++
            }
            'dryrun' { $script:DryRun = $true }
            'yes' { $script:Yes = $true }
            default {
                $near = ''
                if ($word.StartsWith('-') -or $script:Verb -ne '') {
                    $near = '-' + (Get-Nearest $name $known)
                } else {
                    $near = Get-Nearest $name $Verbs
                }
                Stop-Script 2 ('There is no ' + $word + '; did you mean ' + $near + '?') 'netstitch-record help'
            }
        }
    }
    $modes = 0
    foreach ($mode in @($script:Loop, $script:Boot, ($script:Minutes -gt 0))) {
        if ($mode) {
            $modes++
        }
    }
    if ($modes -gt 1) {
        Stop-Script 2 '-Loop, -Boot and -Minutes exclude each other.' 'choose one of them'
    }
    if ($script:Lite -and $script:Full) {
        Stop-Script 2 '-Lite and -Full exclude each other.' 'choose one of them'
    }
    foreach ($layer in (Get-LayerList)) {
        if ($LayerNames -notcontains $layer) {
            Stop-Script 2 ('There is no layer ' + $layer + '; did you mean ' + (Get-Nearest $layer $LayerNames) + '?') 'netstitch-record help'
        }
    }
}

function Get-LayerList {
    $list = @()
    foreach ($part in $script:Layers.Split(',')) {
        $name = $part.Trim().ToLowerInvariant()
        if ($name -ne '') {
            $list += $name
        }
    }
    return $list
}

# ---------------------------------------------------------------- commands

# Reads commands.txt: each [section] is followed by one command line.
function Read-Commands {
    $commands = @{}
    $section = ''
    foreach ($line in (Get-Content -LiteralPath (Join-Path $Here 'commands.txt'))) {
        $text = $line.Trim()
        if ($text -match '^\[([a-z.]+)\]$') {
            $section = $Matches[1]
        } elseif ($text -ne '' -and -not $text.StartsWith('#') -and $section -ne '') {
            $commands[$section] = $text
        }
    }
    return $commands
}

function Get-CommandLine ([string]$Section, [hashtable]$Values) {
    if (-not $script:Commands.ContainsKey($Section)) {
        Stop-Script 1 ('commands.txt has no section ' + $Section + '.') 'unzip the kit again'
    }
    $line = $script:Commands[$Section]
    foreach ($name in $Values.Keys) {
        $line = $line.Replace('{' + $name + '}', [string]$Values[$name])
    }
    return $line
}

# Runs the program in the first word from System32, never from the search path, because the user is an
# administrator. The other words are its arguments.
function Invoke-Line ([string]$Line) {
    $result = @{ Status = 0; Text = '' }
    if ($script:DryRun) {
        Write-Host ('would run: ' + $Line)
        return $result
    }
    $cut = $Line.IndexOf(' ')
    $name = $Line
    $rest = ''
    if ($cut -gt 0) {
        $name = $Line.Substring(0, $cut)
        $rest = $Line.Substring($cut + 1)
    }
    $info = New-Object System.Diagnostics.ProcessStartInfo
    $info.FileName = Join-Path $System $name
    $info.Arguments = $rest
    $info.UseShellExecute = $false
    $info.CreateNoWindow = $true
    $info.RedirectStandardOutput = $true
    $info.RedirectStandardError = $true
    $process = [System.Diagnostics.Process]::Start($info)
    $wrong = $process.StandardError.ReadToEndAsync()
    $text = $process.StandardOutput.ReadToEnd()
    $process.WaitForExit()
    $result.Status = $process.ExitCode
    $result.Text = ($text + $wrong.Result).Trim()
    return $result
}

function Get-Number ([hashtable]$Result) {
    if ($Result.Text -match '0x[0-9a-fA-F]{8}') {
        return $Matches[0].ToLowerInvariant()
    }
    return ('0x{0:x8}' -f $Result.Status)
}

# ---------------------------------------------------------------- state

function Read-State {
    if ($script:DryRun -and $script:DryState.Count -gt 0) {
        return $script:DryState
    }
    $state = @{}
    if (Test-Path -LiteralPath $StateFile) {
        foreach ($line in (Get-Content -LiteralPath $StateFile)) {
            $cut = $line.IndexOf('=')
            if ($cut -gt 0) {
                $state[$line.Substring(0, $cut)] = $line.Substring($cut + 1)
            }
        }
    }
    return $state
}

function Write-State ([hashtable]$State) {
    if ($script:DryRun) {
        Write-Host ('would write: ' + $StateFile)
        $script:DryState = $State
        return
    }
    $lines = @()
    foreach ($name in ($State.Keys | Sort-Object)) {
        $lines += ($name + '=' + $State[$name])
    }
    Set-Content -LiteralPath $StateFile -Value $lines -Encoding ASCII
}

function Get-Entry ([hashtable]$State, [string]$Name) {
    if ($State.ContainsKey($Name)) {
        return [string]$State[$Name]
    }
    return ''
}

function Remove-Work {
    if ($script:DryRun) {
        Write-Host ('would delete: ' + $Work)
    } elseif (Test-Path -LiteralPath $Work) {
        Remove-Item -LiteralPath $Work -Recurse -Force
        Write-Host ('Deleted: ' + $Work)
    }
}

# ---------------------------------------------------------------- this Windows

function Test-Administrator {
    $identity = [System.Security.Principal.WindowsIdentity]::GetCurrent()
    $principal = New-Object System.Security.Principal.WindowsPrincipal -ArgumentList $identity
    return $principal.IsInRole([System.Security.Principal.WindowsBuiltInRole]::Administrator)
}

function Get-WprBuild {
    $path = Join-Path $System 'wpr.exe'
    if (-not (Test-Path -LiteralPath $path)) {
        return 0
    }
    return (Get-Item -LiteralPath $path).VersionInfo.FileBuildPart
}

function Get-WindowsBuild {
    return [Environment]::OSVersion.Version.Build
}

function Get-WindowsWords {
    $caption = 'Windows'
    $revision = ''
    try {
        $caption = (Get-CimInstance -ClassName Win32_OperatingSystem).Caption
        $revision = '.' + (Get-ItemProperty -LiteralPath 'HKLM:\SOFTWARE\Microsoft\Windows NT\CurrentVersion').UBR
    } catch {
        $revision = ''
    }
    return ($caption + ' ' + (Get-WindowsBuild) + $revision)
}

function Get-FreeBytes ([string]$Path) {
    $drive = New-Object System.IO.DriveInfo -ArgumentList ([System.IO.Path]::GetPathRoot($Path))
    return $drive.AvailableFreeSpace
}

function Get-FolderBytes ([string]$Path) {
    $sum = [long]0
    foreach ($item in (Get-ChildItem -LiteralPath $Path -Recurse -Force)) {
        if (-not $item.PSIsContainer) {
            $sum += $item.Length
        }
    }
    return $sum
}

# Saves process ids with names, which a trace may lack, but no command lines.
function Save-Processes ([string]$Name) {
    $path = Join-Path $Work $Name
    if ($script:DryRun) {
        Write-Host ('would write: ' + $path)
        return
    }
    $lines = @('pid,name,start')
    foreach ($process in (Get-Process)) {
        $began = ''
        try {
            $began = $process.StartTime.ToString('o')
        } catch {
            $began = ''
        }
        $lines += ('{0},{1},{2}' -f $process.Id, $process.ProcessName.Replace(',', ' '), $began)
    }
    Set-Content -LiteralPath $path -Value $lines -Encoding UTF8
}

function Confirm-Question ([string]$Text) {
    if ($script:Yes) {
        return $true
    }
    $answer = Read-Host ($Text + ' (y/n)')
    return ($answer.Trim().ToLowerInvariant().StartsWith('y'))
}

# ---------------------------------------------------------------- profile

# Writes the profile without the layers, stacks and headers that the options exclude.
function Write-Profile ([string]$Source, [string]$Target, [hashtable]$State) {
    $list = @(Get-LayerList)
    if ($script:DryRun) {
        Write-Host ('would write: ' + $Target + ' from ' + (Split-Path -Leaf $Source))
        if ($list.Count -eq 0) {
            $State['layers'] = Get-ProfileLayers $Source
        }
        return
    }
    $document = New-Object System.Xml.XmlDocument
    $document.Load($Source)
    if ($list.Count -gt 0) {
        Select-Layers $document $list
    }
    if ($script:NoStacks) {
        foreach ($node in @($document.SelectNodes('//Stacks | //StackFilters'))) {
            [void]$node.ParentNode.RemoveChild($node)
        }
        foreach ($node in @($document.SelectNodes('//EventProvider[@Stack]'))) {
            $node.RemoveAttribute('Stack')
        }
    }
    if ($script:NoHeaders) {
        Remove-Headers $document $State
    }
    $document.Save($Target)
    $State['layers'] = Get-ProfileLayers $Target
    $State['headers'] = [string](Test-Headers $document)
    # If the kit includes the events of JIT-compiled code, stopping the recording collects symbols.
    if ($null -ne $document.SelectSingleNode("//EventProvider[starts-with(@Id, 'EP_clr_') or starts-with(@Id, 'EP_js_')]")) {
        $State['clr'] = 'True'
    }
}

# Returns whether the profile records headers of requests, according to its event filter of WebIO.
function Test-Headers ($Document) {
    if ($null -eq $Document.SelectSingleNode("//EventProvider[@Id='EP_http_webio']")) {
        return $false
    }
    $filter = $Document.SelectSingleNode("//EventProvider[@Id='EP_http_webio']/EventFilters")
    if ($null -eq $filter) {
        return $true
    }
    $isNamed = ($null -ne $filter.SelectSingleNode("EventId[@Value='100']"))
    return (($filter.GetAttribute('FilterIn') -eq 'true') -eq $isNamed)
}

# Older recorders cannot filter by event: the profile is used unchanged.
function Copy-Classic ([string]$Target, [hashtable]$State) {
    $source = Join-Path $Here 'netstitch-classic.wprp'
    $State['profile'] = 'netstitch-classic.wprp'
    $State['layers'] = Get-ProfileLayers $source
    Write-Ignored $State @('-Layers', '-Lite', '-Full', '-NoStacks')
    Set-HeadersRecorded $State
    if ($script:DryRun) {
        Write-Host ('would write: ' + $Target + ' from netstitch-classic.wprp')
        return
    }
    Copy-Item -LiteralPath $source -Destination $Target -Force
}

# Reports that headers are recorded in spite of -NoHeaders, and notes it for the manifest.
function Set-HeadersRecorded ([hashtable]$State) {
    $State['headers'] = 'True'
    if ($script:NoHeaders) {
        Write-Host '-NoHeaders does nothing here: headers of requests are recorded, in which cookies and'
        Write-Host 'sign-in tokens may stand. The manifest names them.'
    }
}

# Reports options that have no effect with this recorder, and notes them for the manifest.
function Write-Ignored ([hashtable]$State, [string[]]$Names) {
    $given = @()
    foreach ($pair in @(@('-Layers', ($script:Layers -ne '')), @('-Lite', $script:Lite), @('-Full', $script:Full),
            @('-NoStacks', $script:NoStacks), @('-Clr', $script:Clr), @('-Js', $script:Js),
            @('more-*.wprp', (@(Get-ChildItem -LiteralPath $Here -Filter 'more-*.wprp').Count -gt 0)))) {
        if ($pair[1] -and $Names -contains $pair[0]) {
            $given += $pair[0]
        }
    }
    if ($given.Count -gt 0) {
        $State['ignored'] = ($given -join ' ')
        Write-Host (($given -join ', ') + ' changes nothing here: what is recorded is fixed, without call stacks,')
        Write-Host 'and its layers are printed below.'
    }
}

# Returns the layers of a profile, in its order.
function Get-ProfileLayers ([string]$Path) {
    $list = @()
    $document = New-Object System.Xml.XmlDocument
    $document.Load($Path)
    foreach ($node in @($document.SelectNodes('//EventProvider'))) {
        $layer = $node.GetAttribute('Id').Split('_')[1]
        if ($LayerNames -contains $layer -and $list -notcontains $layer) {
            $list += $layer
        }
    }
    if ($null -ne $document.SelectSingleNode("//SystemProvider/Keywords/Keyword[@Value='CSwitch']")) {
        $list += 'processor'
    }
    return ($list -join ',')
}

function Select-Layers ($Document, [string[]]$List) {
    $held = @()
    foreach ($node in @($Document.SelectNodes('//EventProvider'))) {
        $id = $node.GetAttribute('Id')
        $layer = $id.Split('_')[1]
        if ($layer -eq 'system' -or $layer -eq 'more') {
            continue
        }
        $held += $layer
        if ($List -contains $layer) {
            continue
        }
        [void]$node.ParentNode.RemoveChild($node)
        foreach ($use in @($Document.SelectNodes("//EventProviderId[@Value='" + $id + "']"))) {
            [void]$use.ParentNode.RemoveChild($use)
        }
    }
    foreach ($layer in $List) {
        if ($layer -eq 'processor') {
            Add-Processor $Document
        } elseif ($held -notcontains $layer) {
            Remove-Work
            Stop-Script 2 ('This kit does not record ' + $layer + '.') ('netstitch-cli recipe --as kit --layers ' + $layer + ',... -o kit.zip')
        }
    }
}

function Add-Processor ($Document) {
    foreach ($name in @('CSwitch', 'ReadyThread', 'SampledProfile')) {
        foreach ($pair in @(@('Keywords', 'Keyword'), @('Stacks', 'Stack'))) {
            $list = $Document.SelectSingleNode('//SystemProvider/' + $pair[0])
            if ($null -ne $list -and $null -eq $list.SelectSingleNode($pair[1] + "[@Value='" + $name + "']")) {
                $node = $Document.CreateElement($pair[1])
                $node.SetAttribute('Value', $name)
                [void]$list.AppendChild($node)
            }
        }
    }
}

# Removes WebIO 100 and 101, which contain the headers; event 125 also contains the status.
function Remove-Headers ($Document, [hashtable]$State) {
    if ($null -eq $Document.SelectSingleNode("//EventProvider[@Id='EP_http_webio']")) {
        return
    }
    $filter = $Document.SelectSingleNode("//EventProvider[@Id='EP_http_webio']/EventFilters")
    if ($null -eq $filter) {
        Set-HeadersRecorded $State
        return
    }
    $isIn = ($filter.GetAttribute('FilterIn') -eq 'true')
    foreach ($id in @('100', '101', '125')) {
        $node = $filter.SelectSingleNode("EventId[@Value='" + $id + "']")
        $wanted = ($isIn -eq ($id -eq '125'))
        if ($wanted -and $null -eq $node) {
            $node = $Document.CreateElement('EventId')
            $node.SetAttribute('Value', $id)
            [void]$filter.AppendChild($node)
        } elseif (-not $wanted -and $null -ne $node) {
            [void]$filter.RemoveChild($node)
        }
    }
}

# Returns additional profiles to start: each file, and the name of the profile in it.
function Get-MoreProfiles {
    $list = @()
    if ($script:Clr) {
        $list += (Join-Path $Here 'clr.wprp')
    }
    if ($script:Js) {
        $list += (Join-Path $Here 'js.wprp')
    }
    foreach ($item in @(Get-ChildItem -LiteralPath $Here -Filter 'more-*.wprp')) {
        $list += $item.FullName
    }
    return $list
}

function Get-StartLine ([string]$Section, [string]$ProfilePath) {
    $line = Get-CommandLine $Section @{ PROFILE = $ProfilePath; WORK = $Work; INSTANCE = $Instance }
    foreach ($path in (Get-MoreProfiles)) {
        $document = New-Object System.Xml.XmlDocument
        $document.Load($path)
        $name = $document.SelectSingleNode('//Profile').GetAttribute('Name')
        $more = Get-CommandLine 'wpr.start.more' @{ MORE = $path; NAME = $name }
        $mark = ' -instancename '
        if ($line.Contains(' -filemode ')) {
            $mark = ' -filemode '
        }
        $line = $line.Replace($mark, ' ' + $more + $mark)
    }
    return $line
}

# ---------------------------------------------------------------- errors

function Get-FaultWords ([string]$Number) {
    switch ($Number) {
        '0xc5583001' { return @('A recording runs already, and was left alone.', 'netstitch-record stop; where that finds nothing, netstitch-record cancel') }
        '0xc5583000' { return @('Nothing is being recorded.', 'netstitch-record start') }
        '0xc5583014' { return @('Another tool records the kernel; it was left alone.', 'close it; its session is one of those below') }
        '0x800705aa' { return @('Too many sessions run (a machine has 64, 8 of the kernel).', 'close other recorders, or netstitch-record start -Lite') }
        '0x80070005' { return @('Windows refused it.', 'start it as administrator; else a policy or a security program forbids recording') }
        '0xc5585011' { return @('This user may not profile the system.', 'start it as administrator; else a policy takes that right away: "Profile system performance"') }
        '0x80070070' { return @('The disk is full.', 'make room on the drive of your user, then the same line again') }
        '0x80070008' { return @('There is not enough memory.', 'netstitch-record start -Lite, or without -Loop') }
        '0x800700b7' { return @('A session of that name was left behind.', 'netstitch-record cancel, then start again') }
        '0x80010106' { return @('The recorder lost its session.', 'netstitch-record cancel, then start again') }
        '0x80071069' { return @('The session ended by itself.', 'netstitch-record cancel, then start again') }
    }
    return @()
}

function Test-UnknownProfile ([string]$Number) {
    return (@('0xc5580612', '0xc5580701', '0xc558300c') -contains $Number)
}

# netsh and pktmon have no error numbers; only their English messages are recognized.
function Get-ToolWords ([string]$Text) {
    if ($Text -match 'tracing session is already in progress') {
        return @('netsh records already, for somebody else: a machine has one such session.', 'netsh trace show status says what; who began it ends it')
    }
    if ($Text -match 'already (started|running|active)') {
        return @('pktmon records already, for somebody else: a machine has one such session.', 'pktmon status says what; who began it ends it')
    }
    if ($Text -match 'requires elevation|run as administrator|Access is denied') {
        return @('Windows refused it.', 'start it as administrator; else a policy or a security program forbids recording')
    }
    if ($Text -match 'not enough space|disk is full') {
        return @('The disk is full.', 'make room on the drive of your user, then the same line again')
    }
    return @()
}

function Write-Fault ([hashtable]$Result) {
    $number = Get-Number $Result
    $words = @(Get-FaultWords $number)
    if ($words.Count -ne 2) {
        $words = @(Get-ToolWords $Result.Text)
    }
    if ($words.Count -eq 2) {
        Write-Host $words[0]
        Write-Host ('  Next: ' + $words[1])
    } else {
        Write-Host 'Windows says:'
        Write-Host ('  ' + $Result.Text)
    }
    Write-Host ('  (' + $number + ')')
    if ($number -eq '0xc5583014') {
        Write-Host 'Sessions of this machine:'
        Write-Host (Invoke-Line (Get-CommandLine 'logman.sessions' @{})).Text
    }
}

# Returns whether an error number means that a session remains from a crash; it contains no usable data.
function Test-LeftBehind ([string]$Number) {
    return (@('0x800700b7', '0x80010106', '0x80071069') -contains $Number)
}

# Stops if the recorder is running without state.txt, for example because the folder was deleted. Only
# its English messages are recognized; in other languages, start reports it.
function Test-Running {
    if ((Get-WprBuild) -eq 0) {
        return
    }
    $result = Invoke-Line (Get-CommandLine 'wpr.status' @{ INSTANCE = $Instance })
    if ($result.Text -match 'recording is in progress') {
        Stop-Script 1 'The recorder records already under the name Netstitch, and nobody knows since when.' 'netstitch-record cancel, then start again'
    }
}

# ---------------------------------------------------------------- start

function Test-Start {
    if (-not (Test-Administrator)) {
        Stop-Script 1 'Only an administrator may record.' 'right-click Command Prompt, Run as administrator, then the same line'
    }
    if ([IntPtr]::Size -ne 8 -and [Environment]::Is64BitOperatingSystem) {
        Stop-Script 1 'This is a 32-bit PowerShell.' 'start netstitch-record.cmd, which finds the other one'
    }
    if ($PSVersionTable.PSVersion.Major -lt 5) {
        Stop-Script 1 ('This is PowerShell ' + $PSVersionTable.PSVersion + '; 5.1 is needed.') 'netstitch-record plain-start'
    }
    if (Test-Path -LiteralPath $StateFile) {
        $state = Read-State
        Stop-Script 1 ('A recording of Netstitch runs since ' + (Get-Entry $state 'start') + '.') 'netstitch-record stop, or netstitch-record cancel'
    }
    $needed = [long]4 * 1024 * 1024 * 1024
    if ($script:Boot -or $script:Full) {
        $needed = $needed * 2
    }
    if ((Get-FreeBytes $Folder) -lt $needed) {
        Stop-Script 1 ('There is too little room on the drive of ' + $Folder + ': ' + [long]($needed / 1048576) + ' MB are needed.') 'delete something there'
    }
    if ((Get-WprBuild) -eq 0 -and ($script:Loop -or $script:Boot)) {
        Stop-Script 1 'This Windows has no wpr.exe: -Loop and -Boot need it.' 'netstitch-record start'
    }
    if ($script:Packets -eq 0 -and -not (Confirm-Question 'Whole packets hold what people sent and received. Record them whole?')) {
        Stop-Script 2 'Nothing was started.' 'netstitch-record start -Packets'
    }
}

# Windows 7 cannot truncate packets, and packets are not truncated if whole packets are requested.
function Get-PacketLine ([string]$Section, [hashtable]$Values, [hashtable]$State) {
    $bytes = $script:Packets
    $Values['BYTES'] = $bytes
    $line = Get-CommandLine $Section $Values
    if ($Section.StartsWith('netsh.')) {
        if ((Get-WindowsBuild) -lt $FirstBuildWithCut -and $bytes -ne 0) {
            Write-Host 'This Windows records packets whole.'
            $bytes = 0
        }
        if ($bytes -eq 0) {
            $line = $line.Replace(' packettruncatebytes=' + $script:Packets, '')
        }
    }
    $State['packets-bytes'] = [string]$bytes
    return $line
}

# Records packets with pktmon, or with netsh on older builds. Never stops a session of another user.
function Start-Packets ([hashtable]$State) {
    $tool = 'netsh'
    if ((Get-WindowsBuild) -ge $FirstBuildWithPktmon) {
        $tool = 'pktmon'
    }
    $running = Invoke-Line (Get-CommandLine ($tool + '.status') @{})
    if (-not $script:DryRun -and $tool -eq 'pktmon' -and $running.Text -match 'Collected data|Capture Type') {
        Write-Host 'pktmon records already, for somebody else: no packets are recorded here.'
        return
    }
    $line = Get-PacketLine ($tool + '.packets') @{ PACKETS = (Join-Path $Work 'packets.etl'); MB = $MegaBytes } $State
    $result = Invoke-Line $line
    if ($result.Status -ne 0) {
        Write-Host 'Packets cannot be recorded; the rest is.'
        Write-Fault $result
        $State['packets-bytes'] = ''
        return
    }
    $State['packets'] = $tool
}

# netsh has only one session, so packets are recorded into the trace itself.
function Start-Netsh ([hashtable]$State) {
    $values = @{ ETL = (Join-Path $Work 'trace.etl'); MB = $MegaBytes }
    Write-Host 'This Windows has no wpr.exe: netsh records, without call stacks.'
    $State['mode'] = 'netsh'
    $State['profile'] = 'netsh'
    $State['layers'] = (Get-ProfileLayers (Join-Path $Here 'netstitch.wprp')).Replace(',processor', '')
    Write-Ignored $State @('-Layers', '-Lite', '-Full', '-NoStacks', '-Clr', '-Js', 'more-*.wprp')
    Set-HeadersRecorded $State
    if ($script:Packets -lt 0) {
        return Invoke-Line (Get-CommandLine 'netsh.start' $values)
    }
    $State['packets'] = 'trace'
    return Invoke-Line (Get-PacketLine 'netsh.start.packets' $values $State)
}

function Start-Recorder ([hashtable]$State) {
    $build = Get-WprBuild
    if ($build -eq 0) {
        return Start-Netsh $State
    }
    $source = 'netstitch.wprp'
    if ($script:Lite) {
        $source = 'netstitch-light.wprp'
    } elseif ($script:Full) {
        $source = 'netstitch-verbose.wprp'
    }
    if ($build -lt $FirstWprWithFilters) {
        Write-Host 'This Windows has an old wpr.exe: a profile without call stacks is used.'
        $source = 'netstitch-classic.wprp'
    }
    $section = 'wpr.start'
    $State['mode'] = 'file'
    if ($script:Loop) {
        $section = 'wpr.start.loop'
        $State['mode'] = 'loop'
    } elseif ($script:Boot) {
        $section = 'wpr.boot.start'
        $State['mode'] = 'boot'
    }
    $State['profile'] = $source
    $used = Join-Path $Work 'profile.wprp'
    if ($source -eq 'netstitch-classic.wprp') {
        Copy-Classic $used $State
    } else {
        Write-Profile (Join-Path $Here $source) $used $State
    }
    $result = Invoke-Line (Get-StartLine $section $used)
    if ($result.Status -ne 0 -and (Test-UnknownProfile (Get-Number $result)) -and $source -ne 'netstitch-classic.wprp') {
        Write-Host 'This Windows does not know the profile: once more with the one for older Windows.'
        Copy-Classic $used $State
        $result = Invoke-Line (Get-StartLine $section $used)
    }
    return $result
}

function Get-OptionWords {
    $words = @()
    foreach ($pair in @(@('-Lite', $script:Lite), @('-Full', $script:Full), @('-NoStacks', $script:NoStacks),
            @('-NoHeaders', $script:NoHeaders), @('-Clr', $script:Clr), @('-Js', $script:Js),
            @('-Loop', $script:Loop), @('-Boot', $script:Boot))) {
        if ($pair[1]) {
            $words += $pair[0]
        }
    }
    if ($script:Packets -ge 0) {
        $words += ('-Packets ' + $script:Packets)
    }
    if ($script:Minutes -gt 0) {
        $words += ('-Minutes ' + $script:Minutes)
    }
    return ($words -join ' ')
}

function Start-Recording {
    if (-not $script:DryRun) {
        if (-not (Test-Path -LiteralPath $Folder)) {
            [void](New-Item -ItemType Directory -Path $Folder)
        }
        Test-Start
        if (Test-Path -LiteralPath $Work) {
            Stop-Script 1 ('Something was left behind in ' + $Work + '.') 'netstitch-record cancel deletes it'
        }
    }
    Test-Running
    if (-not $script:DryRun) {
        [void](New-Item -ItemType Directory -Path $Work)
    }
    $stamp = (Get-Date).ToString('yyyyMMdd-HHmmss')
    $target = $script:Out
    if ($target -eq '') {
        $target = Join-Path $Folder ($env:COMPUTERNAME + '-' + $stamp + '.zip')
    }
    $state = @{
        'start'   = (Get-Date).ToString('o')
        'out'     = $target
        'layers'  = (@(Get-LayerList) -join ',')
        'options' = (Get-OptionWords)
        'clr'     = [string]($script:Clr -or $script:Js)
        'packets' = ''
        'packets-bytes' = ''
        'profile' = ''
        'headers' = [string](-not $script:NoHeaders)
    }
    Save-Processes 'processes-start.csv'
    $result = Start-Recorder $state
    if ($result.Status -ne 0 -and (Test-LeftBehind (Get-Number $result))) {
        Write-Fault $result
        Stop-Ours $state
        Write-Host 'What was left behind was ended; what it held is lost.'
        if (-not (Confirm-Question 'Start again?')) {
            Remove-Work
            exit 1
        }
        $result = Start-Recorder $state
    }
    if ($result.Status -ne 0) {
        Write-Fault $result
        $number = Get-Number $result
        if ($number -ne '0xc5583001' -and $number -ne '0xc5583014') {
            Stop-Ours $state
        }
        if (@(Get-FaultWords $number).Count -eq 2) {
            Remove-Work
        } else {
            Write-Kept
        }
        exit 1
    }
    if ($script:Packets -ge 0 -and $state['packets'] -eq '') {
        Start-Packets $state
    }
    Write-State $state
    if ($state['mode'] -eq 'boot') {
        Write-Host 'The next restart is recorded. Restart, then: netstitch-record stop'
    } else {
        Test-Recording $state
        Write-Host ('Recording since ' + $state['start'] + ': ' + $state['layers'] + ' (' + $state['profile'] + ')')
        if (-not $script:DryRun) {
            Write-Host ('In ' + $Work + '; free there: ' + [long]((Get-FreeBytes $Work) / 1048576) + ' MB')
        }
    }
    Write-Host ''
    foreach ($line in $Privacy) {
        Write-Host $line
    }
    if ($script:Packets -gt $PacketBytes -or $script:Packets -eq 0) {
        Write-Host 'So much of each packet is recorded that contents of pages and messages may stand in it.'
    }
    Write-Host ''
    if ($script:Minutes -gt 0) {
        Wait-Minutes
    } else {
        Write-Host 'Now do what is to be looked at. Then: netstitch-record stop'
    }
}

# Stops a session that failed to start or does not record. With netsh there is none to stop, and the one
# that is running may belong to another user.
function Stop-Ours ([hashtable]$State) {
    if ((Get-Entry $State 'mode') -eq 'netsh') {
        return
    }
    $section = 'wpr.cancel'
    if ((Get-Entry $State 'mode') -eq 'boot') {
        $section = 'wpr.boot.cancel'
    }
    [void](Invoke-Line (Get-CommandLine $section @{ INSTANCE = $Instance }))
}

function Write-Kept {
    Write-Host ('What there is was kept in ' + $Work + '.')
    Write-Host '  Next: netstitch-record cancel deletes it'
}

# Checks after three seconds whether events are recorded.
function Test-Recording ([hashtable]$State) {
    if ($State['mode'] -eq 'netsh') {
        return
    }
    if (-not $script:DryRun) {
        Start-Sleep -Seconds 3
    }
    $result = Invoke-Line (Get-CommandLine 'wpr.status' @{ INSTANCE = $Instance })
    if ($script:DryRun) {
        return
    }
    if ($result.Status -ne 0 -or $result.Text -match 'not recording') {
        Write-Fault $result
        Stop-Ours $State
        Stop-Packets $State
        $State['packets'] = ''
        Write-State $State
        Write-Kept
        exit 1
    }
}

function Wait-Minutes {
    if ($script:DryRun) {
        Write-Host ('would stop after ' + $script:Minutes + ' minutes:')
        Stop-Recording
        return
    }
    $end = (Get-Date).AddMinutes($script:Minutes)
    [Console]::TreatControlCAsInput = $true
    Write-Host 'This window must stay open. Ctrl+C asks whether to stop now.'
    while ((Get-Date) -lt $end) {
        $left = New-TimeSpan -Start (Get-Date) -End $end
        Write-Progress -Activity 'Recording' -Status ('{0:00}:{1:00} left' -f [int][Math]::Floor($left.TotalMinutes), $left.Seconds)
        Start-Sleep -Milliseconds 500
        if ([Console]::KeyAvailable) {
            $key = [Console]::ReadKey($true)
            if ($key.Key -eq 'C' -and ($key.Modifiers -band [ConsoleModifiers]::Control)) {
                $answer = Read-Host 'Stop now (s), cancel (c), or go on (anything else)'
                if ($answer -eq 's') {
                    break
                }
                if ($answer -eq 'c') {
                    [Console]::TreatControlCAsInput = $false
                    Undo-Recording
                    return
                }
            }
        }
    }
    [Console]::TreatControlCAsInput = $false
    Stop-Recording
}

# ---------------------------------------------------------------- stop

function Save-Status ([hashtable]$State) {
    $path = Join-Path $Work 'status.txt'
    $name = $Instance
    if ((Get-Entry $State 'mode') -eq 'boot') {
        $name = $Instance + '_boottr'
    }
    if ((Get-Entry $State 'mode') -eq 'netsh') {
        $result = Invoke-Line (Get-CommandLine 'netsh.status' @{})
    } else {
        $result = Invoke-Line (Get-CommandLine 'wpr.status' @{ INSTANCE = $name })
    }
    if ($script:DryRun) {
        Write-Host ('would write: ' + $path)
        return 'unknown'
    }
    Set-Content -LiteralPath $path -Value $result.Text -Encoding UTF8
    $sum = [long]0
    $seen = $false
    foreach ($line in $result.Text.Split("`n")) {
        if ($line -match '(Events Lost|Dropped event)[^0-9]*([0-9]+)') {
            $seen = $true
            $sum += [long]$Matches[2]
        }
    }
    if ($seen) {
        return [string]$sum
    }
    return 'unknown'
}

function Stop-Packets ([hashtable]$State) {
    $tool = Get-Entry $State 'packets'
    if ($tool -eq '' -or $tool -eq 'trace' -or (Get-Entry $State 'packets-stopped') -eq 'True') {
        return
    }
    $result = Invoke-Line (Get-CommandLine ($tool + '.stop') @{})
    if ($result.Status -ne 0) {
        Write-Host 'The recording of packets did not stop as it should:'
        Write-Fault $result
    }
    $State['packets-stopped'] = 'True'
}

function Get-StopLine ([hashtable]$State, [string]$Etl) {
    $section = 'wpr.stop'
    if ((Get-Entry $State 'mode') -eq 'netsh') {
        return (Get-CommandLine 'netsh.stop' @{})
    }
    if ((Get-Entry $State 'mode') -eq 'boot') {
        $section = 'wpr.boot.stop'
    } elseif ((Get-Entry $State 'clr') -eq 'True') {
        $section = 'wpr.stop.clr'
    }
    $line = Get-CommandLine $section @{ ETL = $Etl; INSTANCE = $Instance }
    if ((Get-WprBuild) -lt $FirstWprWithSkipPdb) {
        $line = $line.Replace(' -skipPdbGen', '')
    }
    return $line
}

function Get-Seconds ([hashtable]$State) {
    $began = Get-Entry $State 'start'
    $end = Get-Entry $State 'stop'
    if ($began -eq '' -or $end -eq '') {
        return 'unknown'
    }
    return [string][long]([DateTime]::Parse($end) - [DateTime]::Parse($began)).TotalSeconds
}

function Write-Manifest ([hashtable]$State) {
    $path = Join-Path $Work 'manifest.txt'
    $sensitive = 'names urls addresses'
    if ((Get-Entry $State 'headers') -eq 'True') {
        $sensitive += ' headers'
    }
    if ((Get-Entry $State 'packets') -ne '') {
        $sensitive += ' packets'
    }
    $etl = Join-Path $Work 'trace.etl'
    $size = [long]0
    if (Test-Path -LiteralPath $etl) {
        $size = (Get-Item -LiteralPath $etl).Length
    }
    $lines = @(
        'netstitch-capture: 1',
        ('computer: ' + $env:COMPUTERNAME),
        ('windows: ' + (Get-WindowsWords)),
        ('wpr: ' + (Get-WprBuild)),
        ('user-is-admin: ' + (Test-Administrator)),
        ('mode: ' + (Get-Entry $State 'mode')),
        ('profile: ' + (Get-Entry $State 'profile')),
        ('layers: ' + (Get-Entry $State 'layers')),
        ('options: ' + (Get-Entry $State 'options')),
        ('ignored: ' + (Get-Entry $State 'ignored')),
        ('start: ' + (Get-Entry $State 'start')),
        ('stop: ' + (Get-Entry $State 'stop')),
        ('seconds: ' + (Get-Seconds $State)),
        ('etl-bytes: ' + $size),
        ('events-lost: ' + (Get-Entry $State 'lost')),
        ('packets-bytes-each: ' + (Get-Entry $State 'packets-bytes')),
        ('sensitive: ' + $sensitive),
        ('privacy: ' + ($Privacy -join ' '))
    )
    Set-Content -LiteralPath $path -Value $lines -Encoding ASCII
}

# Writes the zip archive completely or not at all. The trace is already compressed, so it is stored.
function Write-Zip ([string]$Target) {
    Add-Type -AssemblyName System.IO.Compression
    Add-Type -AssemblyName System.IO.Compression.FileSystem
    $part = $Target + '.part'
    $parent = Split-Path -Parent $Target
    if (-not (Test-Path -LiteralPath $parent)) {
        [void](New-Item -ItemType Directory -Path $parent)
    }
    if (Test-Path -LiteralPath $part) {
        Remove-Item -LiteralPath $part -Force
    }
    $names = @('trace.etl', 'packets.etl', 'processes-start.csv', 'processes-stop.csv', 'profile.wprp',
        'status.txt', 'manifest.txt')
    $zip = [System.IO.Compression.ZipFile]::Open($part, [System.IO.Compression.ZipArchiveMode]::Create)
    try {
        foreach ($name in $names) {
            $path = Join-Path $Work $name
            $level = [System.IO.Compression.CompressionLevel]::Optimal
            if ($name.EndsWith('.etl')) {
                $level = [System.IO.Compression.CompressionLevel]::NoCompression
            }
            if (Test-Path -LiteralPath $path) {
                [void][System.IO.Compression.ZipFileExtensions]::CreateEntryFromFile($zip, $path, $name, $level)
            }
        }
    } finally {
        $zip.Dispose()
    }
    Move-Item -LiteralPath $part -Destination $Target -Force
}

function Stop-Recording {
    $state = Read-State
    if ($state.Count -eq 0 -and -not $script:DryRun) {
        Write-Host 'Nothing is being recorded.'
        Show-Zips
        exit 3
    }
    if ((Get-Entry $state 'merged') -ne 'True') {
        Stop-Session $state
    }
    if ($script:DryRun) {
        Write-Host 'would write: manifest.txt and the zip'
        Remove-Work
        return
    }
    $target = Get-Entry $state 'out'
    if ($script:Out -ne '') {
        $target = $script:Out
    }
    try {
        Write-Manifest $state
        Write-Zip $target
    } catch {
        Write-Host ('The zip cannot be written: ' + $_.Exception.Message)
        Write-Host ('The recording has ended and lies whole in ' + $Work + '.')
        Write-Host '  Next: make room, then netstitch-record stop, or netstitch-record stop -Out FILE'
        exit 1
    }
    Remove-Work
    Write-Host ('Lost events: ' + (Get-Entry $state 'lost'))
    Write-Host ('Length: ' + (Get-Seconds $state) + ' seconds')
    Write-Host ('Size: ' + [long]((Get-Item -LiteralPath $target).Length / 1024) + ' KB')
    Write-Host $target
    Write-Host 'In it: trace, processes, profile, manifest. Read manifest.txt before you send it.'
}

# Stops the recording; the following steps can be repeated after a failure.
function Stop-Session ([hashtable]$State) {
    if (-not $script:DryRun) {
        $held = Get-FolderBytes $Work
        if ((Get-FreeBytes $Work) -lt $held) {
            Stop-Script 1 ('To merge the recording, ' + [long]($held / 1048576) + ' MB must be free on the drive of ' + $Work + '. It goes on.') 'make room, then netstitch-record stop'
        }
    }
    $State['lost'] = Save-Status $State
    Stop-Packets $State
    Write-State $State
    Write-Host 'Merging; this may take a minute.'
    $result = Invoke-Line (Get-StopLine $State (Join-Path $Work 'trace.etl'))
    if ($result.Status -ne 0) {
        Write-Fault $result
        Write-Host ('Nothing was deleted. What there is lies in ' + $Work + ':')
        foreach ($item in @(Get-ChildItem -LiteralPath $Work -Filter '*.etl')) {
            Write-Host ('  ' + $item.FullName)
        }
        Write-Host '  Netstitch opens these files. netstitch-record cancel deletes them.'
        if ((Get-Number $result) -eq '0xc5583000') {
            Show-Zips
            exit 3
        }
        exit 1
    }
    $State['stop'] = (Get-Date).ToString('o')
    $State['merged'] = 'True'
    Write-State $State
    Save-Processes 'processes-stop.csv'
}

# ---------------------------------------------------------------- the other verbs

function Get-Zips {
    $list = @()
    if (Test-Path -LiteralPath $Folder) {
        foreach ($item in @(Get-ChildItem -LiteralPath $Folder -Filter '*.zip' | Sort-Object LastWriteTime)) {
            $list += $item.FullName
        }
    }
    return $list
}

function Show-Zips {
    foreach ($path in @(Get-Zips)) {
        Write-Host ('  there is: ' + $path)
    }
}

function Show-Status {
    $state = Read-State
    if ($state.Count -eq 0) {
        Write-Host 'Nothing is being recorded.'
        Show-Zips
        if (Test-Path -LiteralPath $Work) {
            Write-Kept
        }
        exit 3
    }
    if ((Get-Entry $state 'merged') -eq 'True') {
        Write-Host 'The recording has ended; its zip is not written yet.'
        Write-Host '  Next: netstitch-record stop'
        return
    }
    Write-Host ('Since ' + (Get-Entry $state 'start') + ': ' + (Get-Entry $state 'layers') + ' (' + (Get-Entry $state 'profile') + ', ' + (Get-Entry $state 'mode') + ')')
    $name = $Instance
    if ((Get-Entry $state 'mode') -eq 'boot') {
        $name = $Instance + '_boottr'
    }
    $section = 'wpr.status'
    if ((Get-Entry $state 'mode') -eq 'netsh') {
        $section = 'netsh.status'
    }
    $result = Invoke-Line (Get-CommandLine $section @{ INSTANCE = $name })
    Write-Host $result.Text
    if ($result.Status -ne 0) {
        Write-Host 'It does not run any more, as after a crash or a restart. netstitch-record cancel clears it away.'
    }
    if (-not $script:DryRun) {
        Write-Host ('Free: ' + [long]((Get-FreeBytes $Folder) / 1048576) + ' MB')
    }
}

# Cancels the session, which may exist without state.txt; exits with status 3 if nothing is being recorded.
function Undo-Session ([hashtable]$State) {
    $section = 'wpr.cancel'
    if ((Get-Entry $State 'mode') -eq 'netsh') {
        $section = 'netsh.stop'
    } elseif ((Get-Entry $State 'mode') -eq 'boot') {
        $section = 'wpr.boot.cancel'
    }
    $isThere = (Test-Path -LiteralPath $Work)
    if ($section -ne 'netsh.stop' -and (Get-WprBuild) -eq 0) {
        $result = @{ Status = 1; Text = '' }
    } else {
        $result = Invoke-Line (Get-CommandLine $section @{ INSTANCE = $Instance })
    }
    Stop-Packets $State
    if ($result.Status -ne 0 -and -not $isThere -and -not $script:DryRun) {
        Write-Host 'Nothing is being recorded.'
        exit 3
    }
}

function Undo-Recording {
    $state = Read-State
    if ((Get-Entry $state 'merged') -ne 'True') {
        Undo-Session $state
    }
    Remove-Work
    Write-Host 'Nothing is recorded any more, and nothing was kept.'
}

function Show-Zip {
    $path = $script:File
    if ($path -eq '') {
        $all = @(Get-Zips)
        if ($all.Count -eq 0) {
            Stop-Script 3 'There is no recording.' 'netstitch-record start'
        }
        $path = $all[$all.Count - 1]
    }
    if (-not $script:DryRun) {
        Start-Process -FilePath (Join-Path $env:SystemRoot 'explorer.exe') -ArgumentList ('/select,"' + $path + '"')
    }
    Write-Host ('Where Netstitch is: netstitch-cli info "' + (Split-Path -Leaf $path) + '"')
}

# ---------------------------------------------------------------- begin

Read-Options @($args)
if ($Verb -eq '') {
    $Verb = 'help'
}
if ($Verb -eq 'help') {
    Show-Help
    exit 0
}
$Commands = Read-Commands
if ($Verb -ne 'view' -and $Verb -ne 'status' -and -not $DryRun -and -not (Test-Administrator)) {
    Stop-Script 1 'Only an administrator may record.' 'right-click Command Prompt, Run as administrator, then the same line'
}
switch ($Verb) {
    'start' { Start-Recording }
    'stop' { Stop-Recording }
    'status' { Show-Status }
    'cancel' { Undo-Recording }
    'view' { Show-Zip }
}
exit 0
