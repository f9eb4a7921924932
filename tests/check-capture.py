#!/usr/bin/env python3
"""Checks data/capture as far as that is possible without Windows.

Usage: check-capture.py FOLDER

A small lexer matches the strings, comments and brackets of the PowerShell script. The script may only use commands of
Windows PowerShell 5.1, and the command lines of Windows tools may only be in commands.txt.
"""
import pathlib
import re
import sys

# Cmdlets of Windows PowerShell 5.1 that the script uses.
CMDLETS = set ("""Add-Type Copy-Item Get-ChildItem Get-CimInstance Get-Content Get-Date Get-Item Get-ItemProperty Get-Process
    Join-Path Move-Item New-Item New-Object New-TimeSpan Read-Host Remove-Item Set-Content Set-StrictMode Sort-Object
    Split-Path Start-Process Start-Sleep Test-Path Write-Host Write-Output Write-Progress""".split ())
# The script must not download or evaluate code, change security settings or request elevation.
NEVER = (r"Invoke-Expression|\biex\b|Invoke-WebRequest|Invoke-RestMethod|WebClient|HttpClient|Start-BitsTransfer|Install-Module"
         r"|Import-Module|Set-ExecutionPolicy|MpPreference|Unblock-File|https?://|EncodedCommand|FromBase64String|RunAs\b(?<!Verb)")
CLOSES = {")": "(", "]": "[", "}": "{"}
# (function, whether the pattern must be present, pattern). Recorders without a choice of events report that headers
# are recorded; netsh runs one session and never beside wpr.exe; errors are saved; a recording is stopped once,
# however often its ZIP file is retried.
PROMISES = (
    ("Copy-Classic", True, "Set-HeadersRecorded"),
    ("Copy-Classic", True, "Get-ProfileLayers"),
    ("Start-Netsh", True, "Set-HeadersRecorded"),
    ("Start-Netsh", True, "Get-ProfileLayers"),
    ("Start-Netsh", True, r"netsh\.start\.packets"),
    ("Set-HeadersRecorded", True, r"\$State\['headers'\] = 'True'"),
    ("Remove-Headers", True, "Set-HeadersRecorded"),
    ("Write-Profile", True, "Get-ProfileLayers"),
    ("Start-Recorder", False, r"Copy-Item|netsh\."),
    ("Start-Recording", False, r"wpr\.cancel"),
    ("Start-Recording", True, "Write-Kept"),
    ("Stop-Ours", True, r"-eq 'netsh'\) \{\n\s+return"),
    ("Test-Recording", False, "Remove-Work"),
    ("Get-PacketLine", True, "packettruncatebytes"),
    ("Stop-Packets", True, "-eq 'trace'"),
    ("Stop-Packets", True, "packets-stopped"),
    ("Read-Options", True, r"\$next -notmatch '\^\[A-Za-z\]'"),
    ("Read-Options", True, r"\$next\.StartsWith\('-'\)"),
    ("Read-Options", True, "GetFullPath"),
    ("Read-Options", True, "-gt 65535"),
    ("Stop-Session", True, r"0xc5583000'\) \{\n\s+Show-Zips\n\s+exit 3"),
    ("Stop-Session", True, r"\$State\['merged'\] = 'True'\n\s+Write-State"),
    ("Stop-Recording", True, r"'merged'\) -ne 'True'"),
    ("Stop-Recording", False, "Get-StopLine"),
    ("Stop-Recording", True, "Length: "),
    ("Show-Status", True, "exit 3"),
    ("Undo-Session", True, "exit 3"),
    ("Write-Manifest", True, r"'privacy: ' \+"),
    ("Write-Manifest", True, r"'ignored: ' \+"),
    ("Start-Netsh", True, "Write-Ignored .*'-NoStacks', '-Clr', '-Js', 'more-"),
    ("Copy-Classic", True, "Write-Ignored .*'-NoStacks'"),
    ("Write-Ignored", True, r"\$State\['ignored'\] = "),
    ("Write-Profile", True, "Test-Headers"),
    ("Write-Profile", True, "EP_clr_.*\n.*'clr'\\] = 'True'"),
    ("Write-Fault", True, "Get-ToolWords"),
    ("Write-Fault", True, r"0xc5583014'\) \{\n[^\n]*\n[^\n]*logman\.sessions"),
    ("Start-Recording", True, r"Test-LeftBehind[^\n]*\n[^\n]*\n\s+Stop-Ours \$state\n[^\n]*lost\.'\n[^\n]*Start again"),
    ("Start-Recording", True, r"\n    Test-Running\n"),
    ("Start-Packets", True, "Write-Fault"),
    ("Stop-Packets", True, "Write-Fault"),
    # A dry run prints the command that checks for a running recording and, with -Minutes, the command that stops it.
    ("Test-Recording", True, r"wpr\.status'[^\n]*\n\s+if \(\$script:DryRun\)"),
    ("Wait-Minutes", True, r"DryRun\) \{\n[^\n]*\n\s+Stop-Recording"),
    ("Write-State", True, r"\$script:DryState = "),
)
# The most frequent error codes of the Windows recorders; each needs an explanation and a next step.
FAULTS = ("0xc5583001 0xc5583000 0xc5583014 0xc5585011 0x800705aa 0x80070005 0x80070008 0x80070070 0x800700b7"
          " 0x80010106 0x80071069").split ()
OPTIONS = "Layers Lite Full NoStacks NoHeaders Clr Js Loop Boot Packets Minutes Out DryRun Yes".split ()
VERBS = "start stop status cancel view help".split ()


class Wrong (Exception):
    pass


def code_of (text):
    """Returns the script without its strings and comments; raises Wrong at an unbalanced bracket or an open string."""
    out, stack, at, line = [], [], 0, 1
    while at < len (text):
        sign = text[at]
        if sign == "\n":
            line += 1
            out.append (sign)
        elif sign == "#" and text[at - 1:at] in ("", "\n", " ", ";", "(", "{"):
            at = text.find ("\n", at)
            if at < 0:
                break
            continue
        elif sign in "\"'":
            end = at + 1
            while end < len (text) and text[end] != sign:
                end += 2 if sign == '"' and text[end] == "`" else 1
                if text[end - 1] == "\n":
                    raise Wrong (f"line {line}: a string goes on in the next line")
            if end >= len (text):
                raise Wrong (f"line {line}: a string has no end")
            at = end
            out.append (" ")
        else:
            if sign in "([{":
                stack.append ((sign, line))
            elif sign in CLOSES and (not stack or stack.pop ()[0] != CLOSES[sign]):
                raise Wrong (f"line {line}: {sign} closes nothing")
            out.append (sign)
        at += 1
    if stack:
        raise Wrong (f"line {stack[-1][1]}: {stack[-1][0]} is never closed")
    return "".join (out)


def check_script (text):
    code = code_of (text)
    own = set (re.findall (r"(?m)^function ([A-Z][a-z]+-[A-Z]\w+)", text))
    used = set (re.findall (r"(?<![\w.$:-])[A-Z][a-z]+-[A-Z]\w+", code))
    for name in sorted (used - own - CMDLETS):
        yield f"no command of Windows PowerShell 5.1, and none of its own: {name}"
    for name in sorted (own - used):
        yield f"nothing calls {name}"
    for tool in re.findall (r"\b(wpr|netsh|pktmon|logman)\.exe\s+-?\w", code):
        yield f"a command line of {tool} stands in the script, not in commands.txt"
    if found := re.search (NEVER, text):
        yield f"not in a script that an administrator runs: {found[0]}"
    for verb in VERBS:
        if f"'{verb}'" not in text:
            yield f"there is no verb {verb}"
    for option in OPTIONS:
        if f"'{option.lower ()}'" not in text or f"${option} = " not in text:
            yield f"there is no option -{option}"
    # All tools are started by one function, so that a dry run can skip it.
    if len (re.findall (r"Diagnostics\.Process\]::Start", text)) != 1:
        yield "programs are started in more than one place"


def check_promises (text):
    """Yields the PROMISES that the functions of the script break."""
    bodies = dict (re.findall (r"(?ms)^function ([\w-]+).*?\{\n(.*?)^\}", text))
    for name, wanted, pattern in PROMISES:
        if bool (re.search (pattern, bodies.get (name, ""))) != wanted:
            yield f"{name} {'lacks' if wanted else 'has'} {pattern}"


def check_faults (text):
    """Yields the error codes that lack an explanation or a next step."""
    bodies = dict (re.findall (r"(?ms)^function ([\w-]+).*?\{\n(.*?)^\}", text))
    for number in FAULTS:
        if not re.search (rf"'{number}' \{{ return @\('[^']+\.', '[^']+'\) \}}", bodies.get ("Get-FaultWords", "")):
            yield f"Get-FaultWords has no words, or no next step, for {number}"


def check_commands (text, script):
    sections = re.findall (r"(?m)^\[([a-z.]+)\]$", text)
    for name in sorted (set (re.findall (r"'((?:wpr|netsh|pktmon|logman)\.[a-z.]+[a-z])'", script))):
        if name.split (".")[-1] not in ("exe", "wprp") and name not in sections:
            yield f"commands.txt has no section {name}, which the script asks for"
    if len (sections) != len (set (sections)):
        yield "commands.txt has a section twice"


def check (folder):
    for path in sorted (folder.iterdir ()):
        if path.name.startswith (".") or path.name == "TESTED":
            continue
        data = path.read_bytes ()
        if any (byte > 127 for byte in data):
            yield f"{path.name}: not ASCII, which PowerShell 5.1 takes for the code page of the machine"
        if data.count (b"\n") != data.count (b"\r\n") or b"\r\n" not in data:
            yield f"{path.name}: its lines do not end as those of Windows"
    script = (folder / "netstitch-record.ps1").read_text (encoding="ascii").replace ("\r\n", "\n")
    commands = (folder / "commands.txt").read_text (encoding="ascii").replace ("\r\n", "\n")
    try:
        yield from (f"netstitch-record.ps1: {fault}" for fault in check_script (script))
    except Wrong as fault:
        yield f"netstitch-record.ps1: {fault}"
    yield from (f"netstitch-record.ps1: {fault}" for fault in check_promises (script))
    yield from (f"netstitch-record.ps1: {fault}" for fault in check_faults (script))
    yield from check_commands (commands, script)
    batch = (folder / "netstitch-record.cmd").read_text (encoding="ascii").replace ("\r\n", "\n")
    labels = set (re.findall (r"(?m)^:(\w+)", batch))
    if "probe >nul" not in batch or not re.search (r":blocked\n(?:echo .*\n|if .* pause\n)+exit /b 9\n", batch):
        yield "netstitch-record.cmd: it does not tell scripts that are blocked from scripts that fail"
    if "Tried: nothing." not in (folder / "TESTED").read_text (encoding="ascii") and "Tested on: none" in \
            (folder / "README.txt").read_text (encoding="ascii"):
        yield "README.txt says that nothing was tested, and TESTED does not"
    for label in sorted (set (re.findall (r"goto :(\w+)", batch)) - labels):
        yield f"netstitch-record.cmd: there is no label {label}"


faults = list (check (pathlib.Path (sys.argv[1])))
print ("\n".join (faults) or "the kit is whole")
sys.exit (bool (faults))
