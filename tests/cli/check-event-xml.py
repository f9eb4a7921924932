#!/usr/bin/env python3
"""Tests events as XML: well-formed, valid against the schema of Windows events, and equal to the JSON output.

Usage: check-event-xml.py CLI SAMPLE.etl
"""
import json
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

cli, sample = sys.argv[1:]
SPACE = '{http://schemas.microsoft.com/win/2004/08/events/event}'
SYSTEM = ['Provider', 'EventID', 'Version', 'Level', 'Task', 'Opcode', 'Keywords', 'TimeCreated', 'EventRecordID',
          'Correlation', 'Execution', 'Channel', 'Computer']
UNKNOWN = 0xffffffff
wrong = []


def claim(is_so, what):
    if not is_so:
        wrong.append(what)


def run(*words):
    return subprocess.run([cli, *words, '--quiet'], capture_output=True, check=True).stdout


def names_of(element):
    return [child.tag.removeprefix(SPACE) for child in element]


def values_of(element):
    """Returns the fields of an element as JSON has them: structures are objects, repeated names are arrays."""
    found = {}
    for child in element:
        is_struct = child.tag == SPACE + 'ComplexData'
        found.setdefault(child.get('Name'), []).append(values_of(child) if is_struct else child.text or '')
    return found


def check_fields(element, fields, where):
    values = values_of(element)
    for name, value in fields.items():
        if isinstance(value, list) and not value:
            continue
        got = values.get(name)
        several = value if isinstance(value, list) else [value]
        claim(got is not None and len(got) >= len(several), f'{where}: {name} is {got}, not {value}')
        for one, text in zip(several, got or []):
            if isinstance(one, int) and not isinstance(one, bool) and re.fullmatch(r'-?\d+', text):
                claim(int(text) == one, f'{where}: {name} is {text}, not {one}')


LEVELS = ['LogAlways', 'Critical', 'Error', 'Warning', 'Informational', 'Verbose']


def check_words(element, record, where):
    """Checks the text of the level and the keywords, and the order of elements that the schema requires."""
    rendering = [child for child in element if child.tag == SPACE + 'RenderingInfo']
    names = names_of(rendering[0]) if rendering else []
    claim(names == [n for n in ('Message', 'Level', 'Opcode', 'Task', 'Keywords') if n in names], f'{where}: {names}')
    if record['level'] is not None and record['level'] < len(LEVELS):
        claim('Level' in names and rendering[0][names.index('Level')].text == LEVELS[record['level']], f'{where}: level')
    if record['provider_name'] == 'Microsoft-Windows-TCPIP' and int(record['keyword'], 16) & 0x100000000:
        found = [k.text for k in rendering[0][names.index('Keywords')]] if 'Keywords' in names else []
        claim('ut:SendPath' in found, f'{where}: {found}')


def check(element, record):
    where = f'record {record["n"]}'
    children = names_of(element)
    claim(children[0] == 'System' and children[1] in ('EventData', 'BinaryEventData'), f'{where}: {children}')
    system = {child.tag.removeprefix(SPACE): child for child in element[0]}
    claim(names_of(element[0]) == SYSTEM, f'{where}: {names_of(element[0])}')
    claim(system['Provider'].get('Guid', '').strip('{}') == record['provider'], f'{where}: provider')
    claim(system['Provider'].get('Name') == record['provider_name'], f'{where}: {system["Provider"].attrib}')
    for tag, key in (('EventID', 'id'), ('Version', 'version'), ('Opcode', 'opcode'), ('Task', 'task')):
        claim(int(system[tag].text) == (record[key] or 0), f'{where}: {tag} {system[tag].text} {record[key]}')
    claim(int(system['EventRecordID'].text) == record['n'], f'{where}: number')
    claim(re.fullmatch(r'0x[0-9a-f]{16}', system['Keywords'].text), f'{where}: {system["Keywords"].text}')
    claim(re.fullmatch(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z', system['TimeCreated'].get('SystemTime')),
          f'{where}: {system["TimeCreated"].attrib}')
    for attribute, key in (('ProcessID', 'pid'), ('ThreadID', 'tid')):
        number = UNKNOWN if record[key] is None else record[key]
        claim(int(system['Execution'].get(attribute)) == number, f'{where}: {system["Execution"].attrib}')
    claim(system['Correlation'].get('ActivityID', '{}').strip('{}') == (record['activity'] or ''), f'{where}: activity')
    check_words(element, record, where)
    if children[1] == 'EventData':
        check_fields(element[1], record['fields'], where)


def compare(path, *more):
    records = json.loads(run('events', path, '--format', 'json', *more))
    root = ElementTree.fromstring(run('events', path, '--format', 'xml', *more))
    claim(root.tag == 'Events' and {child.tag for child in root} == {SPACE + 'Event'}, f'{path}: {root.tag}')
    claim(len(root) == len(records) > 100, f'{path}: {len(root)} of {len(records)} records')
    for element, record in zip(root, records):
        check(element, record)


def spoil(data):
    """Inserts characters that XML cannot represent or must escape into the longer words of the trace."""
    return re.sub(rb'(?:[A-Za-z.-]\0){8,}',
                  lambda found: '\x01<&"\r\uffff'.encode('utf-16-le') + found.group()[12:], data)


compare(sample)
with tempfile.NamedTemporaryFile(suffix='.etl') as spoilt:
    with open(sample, 'rb') as file:
        spoilt.write(spoil(file.read()))
    spoilt.flush()
    text = run('events', spoilt.name, '--format', 'xml')
    ElementTree.fromstring(text)
    claim(b'\\u0001&lt;&amp;&quot;&#13;\\uffff' in text, 'nothing was spoilt')
    ElementTree.fromstring(run('events', spoilt.name, '--format', 'xml', '--columns', 'provider_name,fields'))
    ElementTree.fromstring(run('dump', spoilt.name, '--format', 'xml'))

for line in wrong[:40]:
    print(line)
sys.exit(1 if wrong else 0)
