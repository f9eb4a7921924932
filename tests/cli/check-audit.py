#!/usr/bin/env python3
# Tests the report of processes and hosts of the sample trace against the table of activities.
#
# SPDX-License-Identifier: GPL-3.0-or-later
"""Use: check-audit.py CLI TRACE"""
import json
import subprocess
import sys

HOSTS = {
    ('EXCEL.EXE', 'files.example.net', 443): ('EXCEL.EXE', 5000000000),
    ('EXCEL.EXE', 'dc01.corp.example', 389): ('EXCEL.EXE', 6510000000),
    ('OUTLOOK.EXE', 'mail.example.com', 443): ('OLMAPI32.DLL', 902010000),
    ('OUTLOOK.EXE', 'autodiscover.example.com', 443): ('OLMAPI32.DLL', 4004010000),
    ('updatehelper.exe', 'telemetry.example.org', 443): ('updatehelper.exe', 5200000000),
    ('svchost.exe', '192.168.17.1', 53): (None, None),
    ('svchost.exe', '224.0.0.251', 5353): (None, None),
}


def rows (verb, *words):
    return json.loads (subprocess.run ((sys.argv[1], verb, sys.argv[2], *words, '--format', 'json'), check=True,
                                       capture_output=True, text=True).stdout)


def check_sums (report, table):
    processes = [row for row in report if row['kind'] == 'process']
    assert {row['pid'] for row in processes} == {row['pid'] for row in table}
    for process in processes:
        own = [row for row in table if row['pid'] == process['pid']]
        hosts = [row for row in report if row['kind'] == 'host' and row['pid'] == process['pid']]
        for name in ('sent', 'received'):
            assert process[name] == sum (row[name] for row in own) == sum (row[name] for row in hosts), process
        assert process['rows'] == len (own), process
        assert process['failed'] == sum (row['failed'] for row in own), process
        assert process['first_ns'] == min (row['open_ns'] for row in own), process
        assert process['last_ns'] == max (row['open_ns'] + row['duration_ns'] for row in own), process
        assert {row['host'] for row in hosts} == {row['server'] or row['ip'] for row in own}, process
        assert process['hosts'] == len ({row['host'] for row in hosts}), process


report = rows ('report', '--audit')
table = rows ('activities', '--columns', 'all')
check_sums (report, table)
found = {(row['process'], row['host'], row['port']): (row['code'], row['first_ns'])
         for row in report if row['kind'] == 'host'}
assert found.keys () == HOSTS.keys (), found
for key, (code, first_ns) in HOSTS.items ():
    assert found[key][0] == code, (key, found[key])
    assert first_ns is None or found[key][1] == first_ns, (key, found[key])
check_sums (rows ('report', '--audit', '--filter', 'failed=true'), rows ('activities', '--columns', 'all', '--filter',
                                                                         'failed=true'))
assert subprocess.run ((sys.argv[1], 'report', sys.argv[2]), capture_output=True).returncode == 2
assert subprocess.run ((sys.argv[1], 'report', sys.argv[2], '--audit', '--columns', 'pid'),
                       capture_output=True).returncode == 2
print (f'{len (HOSTS)} hosts as the table of operations has them')
