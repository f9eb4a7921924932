#!/usr/bin/env python3
"""Checks that the events of the sample trace are plausible: opcodes agree with the manifests, the locations of the
Winsock driver are known, and every request that closes was created. The request to a server with an untrusted
certificate must have failed.

Usage: check-sample.py CLI SAMPLE.etl SHOWN.etl
"""
import json
import subprocess
import sys

cli, sample, shown = sys.argv[1:]
AFD = 'Microsoft-Windows-Winsock-AFD'
WEBIO = 'Microsoft-Windows-WebIO'
# (event id, 0 for enter or 1 for exit): locations at which the driver writes the event in the context of the calling
# process
PLACES = {(1000, 0): {1002, 1006, 1015}, (1001, 1): {2000, 2001}, (1003, 0): {3003, 3047, 3058, 3100},
          (1003, 1): {3014, 3051, 3201}, (1004, 1): {4109, 4110, 4111, 4116, 4118, 4122},
          (1009, 1): {4052, 4201}, (1013, 0): {3044, 3100}, (1021, 0): {5031}, (1021, 1): {5031},
          (1030, 1): {7022}}
wrong = []
made = set ()
seen = set ()

lines = subprocess.run ([cli, 'events', sample, '--format', 'jsonl', '--columns',
                         'provider_name,id,opcode,task,keyword,fields'],
                        check=True, capture_output=True, text=True).stdout.splitlines ()
for line in lines:
    row = json.loads (line)
    id, fields = row['id'], row['fields']
    seen.add ((row['provider_name'], id))
    if row['provider_name'] == AFD:
        opcode = {1000: 10, 1001: 15}.get (id, 12)
        if row['opcode'] != opcode or row['task'] != id:
            wrong.append (f"AFD {id}: opcode {row['opcode']}, task {row['task']}")
        place = int (fields['Location'])
        if place not in PLACES.get ((id, int (fields['EnterExit'])), set ()):
            wrong.append (f"AFD {id}: place {place}")
    elif row['provider_name'] == WEBIO and id == 17:
        made.add (fields['Request'])
    elif row['provider_name'] == WEBIO and id == 30:
        if fields['ApiObject'] not in made or row['opcode'] != 2:
            wrong.append (f"WebIO 30: {fields['ApiObject']}, opcode {row['opcode']}")

assert not wrong, sorted (set (wrong))
assert {(AFD, 1030), (WEBIO, 17), (WEBIO, 30)} <= seen, seen

rows = [json.loads (line) for line in
        subprocess.run ([cli, 'activities', shown, '--format', 'jsonl', '--filter',
                         'server:intranet.corp.example protocol:winhttp'],
                        check=True, capture_output=True, text=True).stdout.splitlines ()]
assert [(row['failed'], row['error']) for row in rows] == [(True, 'ERROR_WINHTTP_SECURE_FAILURE (12175)')], rows
