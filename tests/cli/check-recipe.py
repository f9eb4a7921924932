#!/usr/bin/env python3
"""Tests netstitch-cli recipe: eleven recipes equal the golden files, the default profile records each event that the
engine reads, by id or by recording the whole provider, and a capture kit has the files of data/capture.

Usage: check-recipe.py CLI FOLDER EVENTS KIT [--write]

FOLDER has the golden files, EVENTS is src/engine, KIT is data/capture; --write updates the golden files.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile
import xml.etree.ElementTree as ET

cli = sys.argv[1]
folder, events, capture = (pathlib.Path (argument) for argument in sys.argv[2:5])
RECIPES = {
    'default.wprp': [],
    'light.wprp': ['--detail', 'light'],
    'verbose.wprp': ['--detail', 'verbose'],
    'no-stacks.wprp': ['--layers', 'http,names', '--no-stacks', '--no-headers'],
    'processor.wprp': ['--layers', 'processor'],
    'dotnet.wprp': ['--layers', 'dotnet'],
    'content.wprp': ['--layers', 'http', '--content', '--clr', '--js'],
    'classic.wprp': ['--as', 'classic'],
    'netsh.txt': ['--as', 'netsh', '--packets', '128', '--scenario', 'InternetClient'],
    'logman.txt': ['--as', 'logman'],
    'pktmon.txt': ['--as', 'pktmon', '--layers', 'connections,names'],
}
# (file with the event ids that the engine reads, prefix of their names, element of the profile, ids that the default
# profile omits). Omitted are events that Windows 10 and later do not write, and events of the verbose profile.
NAMED = (
    ('catalog/ns-webio-events.h', 'NS_WEBIO_', 'EP_http_webio', {701, 702}),
    ('catalog/ns-wininet-events.h', 'NS_WININET_', 'EP_http_wininet', {705}),
    ('net/tcpip/ns-tcpip-payload.h', 'NS_TCPIP_', 'EP_connections_tcpip', {1073, 1077, 1160}),
    ('net/winsock/ns-winsock-payload.h', 'NS_AFD_', 'EP_sockets_afd', set ()),
    ('net/names/ns-host-names-events.c', 'DNS_', 'EP_names_dns-client', set ()),
    ('net/names/ns-host-names-events.c', 'RESOLVER_', 'EP_names_name-resolution', set ()),
    ('tasks/ns-pool-winhttp.c', 'ACTION_', 'EP_http_webio', set ()),
    ('tasks/ns-pool-winhttp.c', 'ACTION_', 'EP_http_winhttp', set ()),
    ('app/wininet/ns-urlmon.c', 'URLMON_', 'EP_http_urlmon', set ()),
    ('app/bits/ns-bits.c', 'BITS_', 'EP_http_bits', set ()),
    ('app/capi2/ns-capi2.c', 'CAPI2_', 'EP_tls_capi2', set ()),
    ('tasks/ns-pool-idle.c', '', 'EP_office_idle-queue', set ()),
    ('tasks/ns-pool-dispatch.c', 'ROLE_', 'EP_office_dispatch-queue', set ()),
)
# Providers without an event filter: their level and keywords include all events that the engine reads.
UNFILTERED = ('EP_ldap_ldap-client', 'EP_counters_kernel-network', 'EP_tls_schannel', 'EP_tls_schannel-events',
              'EP_quic_msquic', 'EP_quic_winquic', 'EP_browsers_chrome', 'EP_browsers_edge', 'EP_browsers_webview2',
              'EP_office_threadpool', 'EP_environment_ncsi', 'EP_environment_dhcp-client',
              'EP_environment_wlan-autoconfig', 'EP_environment_wfp')
wrong = []


def recipe (words):
    done = subprocess.run ([cli, 'recipe', *words], capture_output=True, text=True)
    if done.returncode != 0:
        wrong.append (f'recipe {" ".join (words)}: {done.stderr.strip ()}')
    return done.stdout


for name, words in RECIPES.items ():
    text = recipe (words)
    path = folder / name
    if '--write' in sys.argv:
        path.write_text (text, encoding='utf-8')
    if not path.exists () or path.read_text (encoding='utf-8') != text:
        wrong.append (f'recipe {" ".join (words)} is not {path}')

profile = ET.fromstring (recipe ([]).encode ())
for source, prefix, element, unknown in NAMED:
    text = (events / source).read_text (encoding='utf-8')
    ids = {int (number) for number in re.findall (rf'^  {prefix}[A-Z0-9_]+ = (\d+),', text, re.M)}
    passing = {int (event.get ('Value'))
               for event in profile.findall (f".//EventProvider[@Id='{element}']/EventFilters/EventId")}
    if source == 'tasks/ns-pool-dispatch.c':
        ids = {int (number) for number in re.findall (r'^    \{ (\d+), ROLE_', text, re.M)}
    if not ids:
        wrong.append (f'{source} names no event {prefix}…')
    for number in sorted (ids - passing - unknown):
        wrong.append (f'{element} of the default profile does not record {number}, which {source} names')

for element in UNFILTERED:
    provider = profile.find (f".//EventProvider[@Id='{element}']")
    if provider is None or provider.find ('EventFilters') is not None:
        wrong.append (f'{element} of the default profile is not there, or leaves events out')
# .NET event sources write their descriptions as events, under ids that an event filter would exclude.
dotnet = ET.fromstring (recipe (['--layers', 'dotnet']).encode ())
told = {provider.get ('Name') for provider in dotnet.iter ('EventProvider')}
for guid in ('d30b5633-7ef1-5485-b4e0-94979b102068', 'd5b2e7d4-b6ec-50ae-7cde-af89427ad21f',
             '4b326142-bfb5-5ed3-8585-7714181d14b0', '7beee6b1-e3fa-5ddb-34be-1404ad0e2520',
             '2e5dba47-a3d2-4d16-8ee0-6671ffdcd7b5', '8e9f5090-2d75-4d03-8a81-e5afbf85daf1'):
    if guid not in told:
        wrong.append (f'the layer dotnet does not record {guid}')
for provider in dotnet.iter ('EventProvider'):
    if provider.get ('Id', '').startswith ('EP_dotnet_') and provider.find ('EventFilters') is not None:
        wrong.append (f"{provider.get ('Id')} leaves events out")

files = ET.fromstring (recipe (['--layers', 'files']).encode ())
for source, prefix, element in (('app/smb/ns-smb.c', 'SMB_', 'EP_files_smb-client'), ('app/rpc/ns-rpc.c', 'RPC_', 'EP_files_rpc')):
    passing = {int (event.get ('Value')) for event in files.findall (f".//EventProvider[@Id='{element}']/EventFilters/EventId")}
    for number in re.findall (rf'^  {prefix}[A-Z0-9_]+ = (\d+),', (events / source).read_text (encoding='utf-8'), re.M):
        if int (number) not in passing:
            wrong.append (f'{element} does not record {number}, which {source} names')
server = ET.fromstring (recipe (['--layers', 'server']).encode ())
if server.find (".//EventProvider[@Id='EP_server_http-service']") is None:
    wrong.append ('no profile records what ns-http-server reads')

with tempfile.TemporaryDirectory () as place:
    path = pathlib.Path (place) / 'kit.zip'
    recipe (['--as', 'kit', '-o', str (path)])
    with zipfile.ZipFile (path) as kit:
        held = {name.rpartition ('/')[2]: kit.read (name) for name in kit.namelist ()}
    if '--write' in sys.argv:
        for name, data in held.items ():
            (capture / name).write_bytes (data)
    there = {path.name for path in capture.iterdir () if not path.name.startswith ('.')} - {'TESTED'}
    for name in sorted (there ^ set (held)):
        wrong.append (f'{name} is not both in {capture} and in a kit')
    for name in sorted (there & set (held)):
        if (capture / name).read_bytes () != held[name]:
            wrong.append (f'{capture / name} is not what a kit holds')
print ('\n'.join (wrong) or f'{len (RECIPES)} recipes')
sys.exit (bool (wrong))
