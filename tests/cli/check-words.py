#!/usr/bin/env python3
"""Tests that help, manual page, shell completion and suggestions for misspelled words agree with the program.

Usage: check-words.py CLI SAMPLE.etl MANUAL COMPLETIONS-FOLDER

SPDX-License-Identifier: GPL-3.0-or-later
"""
import ipaddress
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

cli, sample, manual, completions = sys.argv[1:]
text = pathlib.Path(manual).read_text(encoding='utf-8').replace('\\-', '-')
wrong = []


def run(*words, **more):
    return subprocess.run([cli, *words], capture_output=True, text=True, check=False, **more)


def expect(what, holds):
    if not holds:
        wrong.append(what)


# The manual page has every verb, and exactly the options of the program.
program = run('--help').stdout
verbs = re.findall(r'^  ([a-z-]+) +\S', program.split('Options of every verb')[0], re.M)
expect(f'the help lists {len(verbs)} verbs', len(verbs) > 30)
for verb in verbs:
    expect(f'the manual has no verb {verb}', re.search(rf'(?<![\w-]){verb}(?![\w-])', text))
    said = run(verb, '--help')
    for option in re.findall(r'^  (?:-\w, )?(--[a-z-]+)', said.stdout, re.M):
        expect(f'the manual has no option {option} of {verb}', re.search(rf'{option}(?![\w-])', text))
helps = [run(verb, '--help').stdout for verb in verbs]
for option in set(re.findall(r'--[a-z][a-z-]+', text)) - {'--version', '--complete'}:
    expect(f'the manual tells of {option}, which no verb takes',
           any(option in text for text in helps))

# The help of a verb describes every field of its JSON output, and the values have the documented type.
def is_address(value):
    try:
        return bool(ipaddress.ip_address(value))
    except ValueError:
        return False


WHOLE = ('number', 'count', 'bytes', 'row', 'port', 'time', 'duration')
IS = {'text': lambda value: isinstance(value, str), 'list': lambda value: isinstance(value, list),
      'object': lambda value: isinstance(value, dict), 'yes or no': lambda value: isinstance(value, bool),
      'hexadecimal': lambda value: isinstance(value, str) and re.fullmatch(r'0x[0-9a-f]+', value),
      'GUID': lambda value: isinstance(value, str) and re.fullmatch(r'[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}', value),
      'address': is_address}
IS |= {kind: lambda value: isinstance(value, int) and not isinstance(value, bool) for kind in WHOLE}
IS |= {'row': lambda value: IS['number'](value) and value > 0, 'duration': lambda value: IS['number'](value) and value >= 0,
       'port': lambda value: IS['number'](value) and 0 < value < 65536}
MORE = {'codes': ['codes', '0x2'], 'diff': ['diff', sample, sample, '--columns', 'all'],
        'report': ['report', sample, '--audit']}
n_values = 0
for verb, said in zip(verbs, helps):
    # Skips verbs that need other files than the sample, and those whose output is not a table.
    if '--format' not in said or verb in ('pdb', 'pairs', 'payload', 'dump', 'records', 'render', 'recipe', 'export', 'correlate'):
        continue
    done = run(*MORE.get(verb, [verb, sample]), '--format', 'json')
    if done.returncode != 0:
        wrong.append(f'{verb}: {done.stderr.strip()}')
        continue
    printed = json.loads(done.stdout)
    fields = dict(re.findall(r'^  (\w+) +(yes or no|[A-Za-z]+) +\S', re.sub(r'\n {20,}(?=\S)', ' ', said.split('\nFields')[-1]), re.M))
    for row in printed if isinstance(printed, list) else [printed]:
        for name, value in row.items():
            n_values += 1
            if name not in fields:
                wrong.append(f'{verb} --help does not explain {name}')
            elif fields[name] not in IS:
                wrong.append(f'{verb} --help: {name} is a {fields[name]}, of which this test knows nothing')
            elif value is not None and not IS[fields[name]](value):
                wrong.append(f'{verb} --help: {name} is a {fields[name]}, and {value!r} is none')
wrong = list(dict.fromkeys(wrong))
expect('there is nothing to compare with the help', n_values > 5000)

# Standard input has the name that the user specified.
with open(sample, 'rb') as file:
    expect('info calls standard input by another name', json.loads(run('info', '-', '--format', 'json', stdin=file).stdout)['file'] == '-')
expect('a pipe has another name', json.loads(run('info', '-', '--format', 'json', stdin=subprocess.Popen(
    ['cat', sample], stdout=subprocess.PIPE).stdout).stdout)['file'] == '-')

expect('standard input that is no trace is not called so',
       run('info', '-', input='no trace').stderr.startswith('netstitch-cli: standard input is not an event trace log'))

# A misspelled word suggests the most similar one.
for words, meant in ((['actvities', sample], 'activities'), (['tcp', sample, '--colums', 'id'], '--columns'),
                     (['tcp', sample, '--columns', 'durations_ns'], 'duration_ns'),
                     (['tcp', sample, '--sort=-durtion_ns'], 'duration_ns'),
                     (['diff', sample, sample, '--columns', 'chnge'], 'change'),
                     (['activities', sample, '--group-by', 'proces'], 'process'),
                     (['events', sample, '--columns', 'provder'], 'provider')):
    done = run(*words)
    expect(f'{words}: {done.stderr.strip()!r} does not name {meant}',
           done.returncode == 2 and f'did you mean “{meant}”' in done.stderr.replace(f'mean {meant}', f'mean “{meant}”'))
done = run('xyzzy', sample)
expect('a word that is near nothing names something', done.returncode == 2 and 'did you mean' not in done.stderr)

# Completion offers verbs, options and values; file names are left to the shell.
for words, offered in ((['act'], 'activities'), (['tcp', 'x', '--col'], '--columns'),
                       (['tcp', 'x', '--columns', 'id,proc'], 'id,process'), (['export', 'x', '--as', 'p'], 'pcapng'),
                       (['render', 'x', '--as', 's'], 'svg'), (['tcp', 'x', '--format', ''], 'json'),
                       (['tcp', 'x', '--filter', 'dur'], 'duration_ns:')):
    expect(f'{words} does not offer {offered}', offered in run('--complete', *words).stdout.splitlines())
expect('a file is completed by the shell', run('--complete', 'tcp', 'x').stdout == '')
if shutil.which('bash'):
    script = f'''source '{completions}/netstitch-cli.bash'
COMP_WORDS=(netstitch-cli activities x.etl --form) COMP_CWORD=3
_netstitch_cli
printf '%s\\n' "${{COMPREPLY[@]}}"'''
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(cli), os.path.join(folder, 'netstitch-cli'))
        done = subprocess.run(['bash', '-c', script], capture_output=True, text=True, check=False,
                              env=os.environ | {'PATH': folder + ':' + os.environ['PATH']})
    expect(f'bash completes {done.stdout!r} {done.stderr!r}', done.stdout.split() == ['--format'])

if shutil.which('fish'):
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(cli), os.path.join(folder, 'netstitch-cli'))
        done = subprocess.run(['fish', '--no-config', '-c', f'source "{completions}/netstitch-cli.fish"; '
                               'complete -C "netstitch-cli activities x.etl --form"'],
                              capture_output=True, text=True, check=False,
                              env=os.environ | {'PATH': folder + ':' + os.environ['PATH'], 'HOME': folder})
    expect(f'fish completes {done.stdout!r} {done.stderr!r}', done.stdout.split() == ['--format'])

# The zsh script passes candidates to compadd, and leaves files to _files.
if shutil.which('zsh'):
    for words, current, expected in (('activities x.etl --form', 4, '--format'), ('tcp x', 3, 'files')):
        script = f'''words=(netstitch-cli {words}) CURRENT={current}
compadd () {{ shift 2; print -l -- "$@" }}
_files () {{ print files }}
run () {{ source '{completions}/_netstitch-cli' }}
run'''
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(os.path.abspath(cli), os.path.join(folder, 'netstitch-cli'))
            done = subprocess.run(['zsh', '-f', '-c', script], capture_output=True, text=True, check=False,
                                  env=os.environ | {'PATH': folder + ':' + os.environ['PATH']})
        expect(f'zsh completes {words}: {done.stdout!r} {done.stderr!r}', done.stdout.split() == [expected])

# An export reports what it wrote unless --quiet is specified; an empty filter keeps all rows.
with tempfile.TemporaryDirectory() as folder:
    for form, more in (('csv', ()), ('etl', ()), ('har', ()), ('html', ()), ('perfetto', ()), ('pcapng', ())):
        place = os.path.join(folder, 'out.' + form)
        done = run('export', sample, '--as', form, '-o', place, *more)
        if form == 'pcapng' and done.returncode != 0:
            continue
        listed = json.loads(run('activities', sample, '--format', 'json').stdout)
        # HAR has entries for requests with a URL only.
        rows = 1 if form == 'pcapng' else sum(1 for row in listed if row['url'] or form != 'har')
        told = re.search(r'wrote (.*): (\d+) rows?, [\d.]+.(?:kB|bytes|MB)$', done.stderr.strip())
        expect(f'an export to {form} says {done.stderr!r}',
               told and told[1] == place and (form == 'pcapng' or int(told[2]) == rows))
        expect(f'a quiet export to {form} speaks', not run('export', sample, '--as', form, '-o', place, '--quiet').stderr)
    expect('an export to standard output speaks', 'wrote' not in run('export', sample, '--as', 'csv').stderr)
expect('a filter of nothing is wrong', run('lanes', sample, '--filter', ' ').stdout == run('lanes', sample).stdout)

# "-" stands for standard input and output; an empty result is explained.
with open(sample, 'rb') as file:
    taken = subprocess.run([cli, 'tcp', '-', '-o', '-'], input=file.read(), capture_output=True, check=False)
plain = run('tcp', sample)
expect('standard input is another trace', taken.returncode == 0 and taken.stdout.decode() == plain.stdout)
with open(sample, 'rb') as file:
    taken = subprocess.run([cli, 'tcp', '-'], stdin=file, capture_output=True, check=False)
expect('a redirected file is another trace', taken.stdout.decode() == plain.stdout)
expect('standard input was taken twice', run('diff', '-', '-', input='').returncode == 2)
done = run('urlmon', sample)
expect(f'an empty table does not say why: {done.stderr}', done.returncode == 0 and 'URLMon' in done.stderr)
with tempfile.TemporaryDirectory() as folder:
    place = os.path.join(folder, 'none.pcapng')
    done = run('export', sample, '--as', 'pcapng', '--filter', 'pid=4294967295', '-o', place)
    expect(f'a file without packets was written: {done.stderr}',
           done.returncode != 0 and 'packets' in done.stderr and not os.path.exists(place))
print('\n'.join(wrong) or f'{len(verbs)} verbs are told of everywhere')
sys.exit(bool(wrong))
