#!/usr/bin/env python3
"""Checks that each field of the dissection tree has the same bytes and value as tshark's.

Usage: check-tree.py CLI PRINT-TREE TRACES [--all] [--capture FILE.pcapng]...

The frames are those of tree_frames.py, each complete and truncated, and the packets of all traces in the folder
TRACES, if it exists. Without tshark the test is skipped; with another version than VERSION, differences are printed
but do not fail the test. --all lists the fields of tshark that the tree lacks.
"""
import argparse
import collections
import glob
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import tree_frames

VERSION = '4.0.17'
SKIPPED = 77
# tshark must dissect each packet separately, as the tree does.
PREFERENCES = ('ip.defragment:FALSE', 'ipv6.defragment:FALSE', 'tcp.desegment_tcp_streams:FALSE', 'tls.desegment_ssl_records:FALSE',
               'tls.desegment_ssl_application_data:FALSE', 'http.dechunk_body:FALSE', 'http.decompress_body:FALSE',
               'http.desegment_body:FALSE', 'http.desegment_headers:FALSE',
               'tcp.relative_sequence_numbers:FALSE')


def number(text):
    found = re.search(r'0x[0-9a-f]+|\d+', text)
    return int(found.group(), 0) if found else None


def last_number(text):
    found = re.findall(r'\((0x[0-9a-f]+|\d+)\)$', text) or re.findall(r'0x[0-9a-f]+|\d+', text)
    return int(found[-1], 0) if found else None


def whole(text):
    """Parses a number for fields of which tshark shows some bits or a computed value."""
    return number(text)


def root(text):
    return '<Root>' if text == '.' else text


def same(text):
    return text


class Bits:
    """A bit field: the tree has its bytes, tshark has those of the whole word."""

    def __init__(self, read):
        self.read = read


BITS = Bits(number)
# The data of echo messages, whose first bytes tshark may take for a timestamp.
REST = object()


class Shown:
    """A number as tshark displays it, not as it is encoded."""

    def __init__(self, read):
        self.read = read


# Protocol: (names in tshark, {field: (names in tshark, how to compare)}). None compares the bytes only.
PROTOCOLS = {
    'Ethernet II': ('eth', {
        'Destination': ('eth.dst', same), 'Source': ('eth.src', same), 'Type': ('eth.type', last_number)}),
    'IEEE 802.3': ('eth', {'Destination': ('eth.dst', same), 'Source': ('eth.src', same), 'Length': ('eth.len', number)}),
    '802.1Q VLAN': ('vlan', {
        'Priority': ('vlan.priority', BITS), 'Drop eligible': ('vlan.dei', BITS), 'ID': ('vlan.id', number),
        'Type': ('vlan.etype', last_number)}),
    '802.1ad VLAN': ('ieee8021ad', {
        'Priority': ('ieee8021ad.priority', number), 'Drop eligible': ('ieee8021ad.dei', number), 'ID': ('ieee8021ad.id', number),
        'Type': ('ieee8021ah.etype ieee8021ad.cvid', last_number)}),
    'PPPoE session': ('pppoes', {
        'Version and type': ('pppoe.version', None),
        'Code': ('pppoe.code', number), 'Session ID': ('pppoe.session_id', number), 'Payload length': ('pppoe.payload_length', number)}),
    'PPP': ('ppp', {'Protocol': ('ppp.protocol', number)}),
    'MPLS': ('mpls', {
        'Label': ('mpls.label', BITS), 'Traffic class': ('mpls.exp', BITS), 'Bottom of stack': ('mpls.bottom', BITS),
        'Time to live': ('mpls.ttl', BITS)}),
    'LLC': ('llc', {
        'DSAP': ('llc.dsap', number), 'SSAP': ('llc.ssap', number), 'Control': ('llc.control', number), 'Organization': ('llc.oui', number),
        'Type': ('llc.type', last_number), 'Protocol ID': ('llc.pid llc.cisco_pid', number)}),
    'Spanning Tree Protocol': ('stp', {
        'Protocol': ('stp.protocol', number), 'Version': ('stp.version', number), 'BPDU type': ('stp.type', number),
        'Flags': ('stp.flags', number), 'Topology change': ('stp.flags.tc', number), 'Proposal': ('stp.flags.proposal', number),
        'Port role': ('stp.flags.port_role', last_number), 'Learning': ('stp.flags.learning', number),
        'Forwarding': ('stp.flags.forwarding', number), 'Agreement': ('stp.flags.agreement', number),
        'Topology change acknowledgment': ('stp.flags.tcack', number), 'Root path cost': ('stp.root.cost', number),
        'Port': ('stp.port', number), 'Message age': ('stp.msg_age', float), 'Maximum age': ('stp.max_age', float),
        'Hello time': ('stp.hello', float), 'Forward delay': ('stp.forward', float), 'Version 1 length': ('stp.version_1_length', number)}),
    'Root': ('', {'Priority': ('stp.root.prio', number), 'System ID extension': ('stp.root.ext', number), 'System ID': ('stp.root.hw', same)}),
    'Bridge': ('', {
        'Priority': ('stp.bridge.prio', number), 'System ID extension': ('stp.bridge.ext', number), 'System ID': ('stp.bridge.hw', same)}),
    'IEEE 802.11': ('wlan', {
        'Frame control': ('wlan.fc', None), 'Type': ('wlan.fc.type', number), 'Subtype': ('wlan.fc.subtype', number),
        'To DS': ('wlan.fc.tods', number), 'From DS': ('wlan.fc.fromds', number), 'Retry': ('wlan.fc.retry', number),
        'Protected': ('wlan.fc.protected', number), 'Duration': ('wlan.duration', number), 'Address 1': ('wlan.ra', same),
        'Address 2': ('wlan.ta', same), 'Address 3': ('wlan.da wlan.sa wlan.bssid', same), 'Address 4': ('wlan.sa wlan.bssid', same),
        'Fragment number': ('wlan.frag', BITS), 'Sequence number': ('wlan.seq', number), 'QoS control': ('wlan.qos', number)}),
    'ARP': ('arp', {
        'Hardware type': ('arp.hw.type', number), 'Protocol type': ('arp.proto.type', number), 'Hardware size': ('arp.hw.size', number),
        'Protocol size': ('arp.proto.size', number), 'Operation': ('arp.opcode', number), 'Sender MAC': ('arp.src.hw_mac', same),
        'Sender IP': ('arp.src.proto_ipv4', same), 'Target MAC': ('arp.dst.hw_mac', same), 'Target IP': ('arp.dst.proto_ipv4', same)}),
    'IPv4': ('ip', {
        'Header length': ('ip.hdr_len', number), 'Differentiated services': ('ip.dsfield', number), 'DSCP': ('ip.dsfield.dscp', number),
        'ECN': ('ip.dsfield.ecn', number), 'Total length': ('ip.len', whole), 'Identification': ('ip.id', number),
        'Flags': ('ip.flags', None), 'Fragment offset': ('ip.frag_offset', Shown(number)), 'Time to live': ('ip.ttl', number),
        'Protocol': ('ip.proto', last_number), 'Header checksum': ('ip.checksum', number), 'Source': ('ip.src', same),
        'Destination': ('ip.dst ip.cur_rt', same), 'Options': ('=Options', None), 'Option': ('ip.options.*|=Unknown', None)}),
    'IPv6': ('ipv6', {
        'Traffic class': ('ipv6.tclass', Bits(number)), 'DSCP': ('ipv6.tclass.dscp', BITS), 'ECN': ('ipv6.tclass.ecn', BITS),
        'Flow label': ('ipv6.flow', number), 'Payload length': ('ipv6.plen', number), 'Next header': ('ipv6.nxt', last_number),
        'Hop limit': ('ipv6.hlim', number), 'Source': ('ipv6.src', same), 'Destination': ('ipv6.dst', same)}),
    'Hop-by-hop options': ('ipv6.hopopts', {
        'Next header': ('ipv6.hopopts.nxt', last_number), 'Length': ('ipv6.hopopts.len', number), 'Option': ('ipv6.opt', None)}),
    'Destination options': ('ipv6.dstopts', {
        'Next header': ('ipv6.dstopts.nxt', last_number), 'Length': ('ipv6.dstopts.len', number), 'Option': ('ipv6.opt', None)}),
    'Routing header': ('ipv6.routing', {
        'Next header': ('ipv6.routing.nxt', last_number), 'Length': ('ipv6.routing.len', number),
        'Routing type': ('ipv6.routing.type', number), 'Segments left': ('ipv6.routing.segleft', number)}),
    'Fragment header': ('ipv6.fraghdr', {
        'Next header': ('ipv6.fraghdr.nxt', last_number), 'Fragment offset': ('ipv6.fraghdr.offset', Shown(number)),
        'More fragments': ('ipv6.fraghdr.more', BITS), 'Identification': ('ipv6.fraghdr.ident', number)}),
    'AH': ('ah', {
        'Next header': ('ah.next_header', last_number), 'Length': ('ah.length', number), 'SPI': ('ah.spi', number),
        'Sequence number': ('ah.sequence', number)}),
    'ICMP': ('icmp', {
        'Type': ('icmp.type', last_number), 'Code': ('icmp.code', last_number), 'Checksum': ('icmp.checksum', number),
        'Identifier': ('icmp.ident', number), 'Sequence number': ('icmp.seq', number), 'Data': ('data.data', REST),
        'MTU of next hop': ('icmp.mtu', number), 'Gateway': ('icmp.redir_gw', same), 'Pointer': ('icmp.pointer', number)}),
    'ICMPv6': ('icmpv6', {
        'Type': ('icmpv6.type', last_number), 'Code': ('icmpv6.code', last_number), 'Checksum': ('icmpv6.checksum', number),
        'Identifier': ('icmpv6.echo.identifier', number), 'Sequence number': ('icmpv6.echo.sequence_number', number),
        'Data': ('data.data', REST), 'MTU': ('icmpv6.mtu icmpv6.opt.mtu', number), 'Pointer': ('icmpv6.pointer', number),
        'Target address': ('icmpv6.nd.ns.target_address icmpv6.nd.na.target_address icmpv6.nd.rd.target_address', same),
        'Destination address': ('icmpv6.nd.rd.destination_address icmpv6.rd.na.destination_address', same),
        'From a router': ('icmpv6.nd.na.flag.r', BITS), 'Solicited': ('icmpv6.nd.na.flag.s', BITS),
        'Override': ('icmpv6.nd.na.flag.o', BITS), 'Hop limit': ('icmpv6.nd.ra.cur_hop_limit', number),
        'Flags': ('icmpv6.nd.ra.flag icmpv6.opt.prefix.flag', number), 'Router lifetime': ('icmpv6.nd.ra.router_lifetime', number),
        'Reachable time': ('icmpv6.nd.ra.reachable_time', number), 'Retransmission timer': ('icmpv6.nd.ra.retrans_timer', number),
        'Option': ('icmpv6.opt', None), 'Source link-layer address': ('icmpv6.opt.src_linkaddr icmpv6.opt.linkaddr', same),
        'Target link-layer address': ('icmpv6.opt.target_linkaddr icmpv6.opt.linkaddr', same),
        'Prefix length': ('icmpv6.opt.prefix.length', number), 'Valid lifetime': ('icmpv6.opt.prefix.valid_lifetime', number),
        'Preferred lifetime': ('icmpv6.opt.prefix.preferred_lifetime', number), 'Prefix': ('icmpv6.opt.prefix', same),
        'Lifetime': ('icmpv6.opt.rdnss.lifetime', number), 'DNS server': ('icmpv6.opt.rdnss', same)}),
    'TCP': ('tcp', {
        'Source port': ('tcp.srcport', number), 'Destination port': ('tcp.dstport', number), 'Sequence number': ('tcp.seq', number),
        'Acknowledgment number': ('tcp.ack', number), 'Header length': ('tcp.hdr_len', number), 'Flags': ('tcp.flags', None),
        'Window': ('tcp.window_size_value', number), 'Checksum': ('tcp.checksum', number), 'Urgent pointer': ('tcp.urgent_pointer', number),
        'Options': ('tcp.options', None), 'Maximum segment size': ('tcp.options.mss', None), 'No-operation': ('tcp.options.nop', None),
        'End of options': ('tcp.options.eol', None), 'Window scale': ('tcp.options.wscale', None),
        'SACK permitted': ('tcp.options.sack_perm', None), 'SACK': ('tcp.options.sack', None),
        'Timestamps': ('tcp.options.timestamp', None), 'Option': ('tcp.options.*|=TCP Option|mptcp', None), 'Block': ('', None)}),
    'UDP': ('udp', {
        'Source port': ('udp.srcport', number), 'Destination port': ('udp.dstport', number), 'Length': ('udp.length', number),
        'Checksum': ('udp.checksum', number)}),
    'DNS': ('dns mdns llmnr', {
        'Length': ('dns.length', number), 'ID': ('dns.id', number), 'Flags': ('dns.flags', None), 'Questions': ('dns.count.queries', number),
        'Answer records': ('dns.count.answers', number), 'Authority records': ('dns.count.auth_rr', number),
        'Additional records': ('dns.count.add_rr', number)}),
    'Question': ('', {
        'Name': ('dns.qry.name', same), 'Type': ('dns.qry.type', last_number), 'Class': ('dns.qry.class', whole)}),
    'Record': ('', {
        'Name': ('dns.resp.name dns.srv.service', root), 'Type': ('dns.resp.type', last_number), 'Class': ('dns.resp.class', whole),
        'UDP payload size': ('dns.rr.udp_payload_size', number), 'Time to live': ('dns.resp.ttl', number),
        'Data length': ('dns.resp.len', number), 'Data': ('', None)}),
    'TLS': ('tls', {
        'Level': ('tls.alert_message.level', None), 'Description': ('tls.alert_message.desc', number),
        'Change Cipher Spec': ('tls.record', None), 'Alert': ('tls.record', None), 'Handshake': ('tls.record', None),
        'Application Data': ('tls.record', None), 'Heartbeat': ('tls.record', None),
        'Length': ('tls.record.length', number), 'Random': ('tls.handshake.random', None),
        'Session ID length': ('tls.handshake.session_id_length', number), 'Session ID': ('tls.handshake.session_id', None),
        'Cipher suites length': ('tls.handshake.cipher_suites_length', number),
        'Cipher suites': ('tls.handshake.ciphersuites', None), 'Compression methods': ('tls.handshake.comp_methods', None),
        'Compression methods length': ('tls.handshake.comp_methods_length', number),
        'Version': ('tls.record.version tls.handshake.version tls.handshake.extensions.supported_version', last_number),
        'Cipher suite': ('tls.handshake.ciphersuite', last_number), 'Compression method': ('tls.handshake.comp_method', number),
        'Extensions length': ('tls.handshake.extensions_length', number), 'Host name': ('tls.handshake.extensions_server_name', same),
        'Protocol': ('tls.handshake.extensions_alpn_str', same)}),
    'QUIC': ('quic', {
        'First byte': ('', None), 'Version': ('quic.version', None), 'Destination connection ID': ('quic.dcid', same),
        'Source connection ID': ('quic.scid', same),
        'Destination connection ID length': ('quic.dcil', number), 'Source connection ID length': ('quic.scil', number)}),
    'HTTP': ('http', {}),
}

FRAMES = 'frames: '
# tshark 4.0 counts this 1-byte option as 3 bytes.
WRONG_THERE = {(FRAMES + 'one byte of padding', 42)}

wrong = []
compared = set()


class Field:
    """A field of tshark: names, bytes and text."""

    def __init__(self, element, protocol):
        self.name = element.get('name')
        self.at = int(element.get('pos') or 0)
        self.size = int(element.get('size') or 0)
        self.show = element.get('show') or ''
        # For bit fields, the value of the whole bytes.
        self.value = element.get('unmaskedvalue') or element.get('value') or '-1'
        self.label = element.get('showname') or self.show
        self.protocol = protocol
        self.is_used = False

    def has_name(self, names):
        for name in names.split('|'):
            if name.startswith('='):
                if self.name == '' and self.label.startswith(name[1:]):
                    return True
            elif self.name in name.split() or name.endswith('*') and (self.name or '').startswith(name[:-1]):
                return True
        return False


def collect(element, protocol, fields):
    for child in element:
        is_protocol = child.tag == 'proto' or child.get('name') in KNOWN
        name = child.get('name') if is_protocol else protocol
        # Fields that tshark computes or repeats (_ws.*) have no bytes.
        if not (child.get('name') or '').startswith('_ws.'):
            fields.append(Field(child, name))
            collect(child, name, fields)


KNOWN = {name for names, _ in PROTOCOLS.values() for name in names.split()}


def get_wanted(path, name):
    """Returns the names in tshark and the comparison for a field of the tree, or None if tshark has no such field."""
    if name in OWN and not path:
        return None
    if path[:1] == ['DNS'] and len(path) == 3:
        path = path + ['Record']
    protocol = next((one for one in reversed(path) if one in PROTOCOLS), '')
    fields = PROTOCOLS[protocol][1] if protocol else {}
    if name in fields:
        compared.add((protocol, name))
        return fields[name]
    if name == 'Padding':
        return 'eth.padding eth.trailer', None
    if name in PROTOCOLS and protocol != 'DNS':
        return PROTOCOLS[name][0], None
    if protocol == 'DNS':
        sections = {'Answers': 'Answers', 'Authority': 'Authoritative nameservers', 'Additional': 'Additional records'}
        if path[-1] in sections:
            return '=' + ('<Root>' if name == '.' else name) + ': type', None
        return '=' + sections.get(name, ''), None
    if protocol == 'TLS' and path[-1] == 'Handshake':
        return 'tls.handshake', None
    if protocol == 'TLS' and 'Handshake' in path:
        return '=Extension: ' + name.replace('extension', ''), None
    if protocol == 'HTTP':
        return 'http.*|=', None
    return None


def compare_values(read, value, field):
    if read is None or read is REST:
        return True
    try:
        if isinstance(read, Shown):
            return read.read(value) == last_number(field.label)
        if isinstance(read, Bits):
            read = read.read
        if read is root:
            return root(value) == field.show or field.name == 'dns.srv.service' and value.startswith(field.show + '.')
        if read is whole:
            return number(value) == int(field.value, 16)
        if read is same:
            return value in (field.show, field.show.replace(':', ''))
        if read is float:
            return float(value.split()[0]) == float(field.show)
        return read(value) == int(field.show, 0)
    except ValueError:
        return False


def is_left_out(path, at, fields):
    """Returns whether tshark has no further fields of this message: the rest is in another packet or was not
    captured."""
    names = {'TLS': 'tls', 'HTTP': 'http', 'DNS': 'dns', 'QUIC': 'quic'}.get((path or [''])[0])
    return names is not None and not any((field.name or '').startswith(names) and field.at >= at and field.size > 0 for field in fields)


def compare_field(what, path, mine, fields):
    at, size, name, value = mine
    wanted = get_wanted(path, name)
    if wanted is None:
        return [] if name in OWN else ['%s: %s has no name for tshark' % (what, '/'.join(path + [name]))]
    names, read = wanted
    if names == '':
        return []
    found = [field for field in fields if not field.is_used and field.has_name(names)]
    there = [field for field in found if (field.at, field.size) == (at, size) or
             isinstance(read, Bits) and field.at <= at and at + size <= field.at + field.size or
             read is REST and field.at >= at and field.at + field.size == at + size or
             # IPv6 with extension headers, and HTTP with a truncated body, differ in size.
             name in ('IPv6', 'HTTP') and field.at == at]
    if not there and (not what.startswith(FRAMES) and is_left_out(path + [name], at, fields) or (what, at) in WRONG_THERE):
        return []
    if not there:
        return ['%s: %s @%d+%d %r, tshark: %s' % (what, '/'.join(path + [name]), at, size, value,
                                                  ', '.join('%s @%d+%d' % (field.name or field.label, field.at, field.size) for field in found[:4]))]
    there[0].is_used = True
    if not compare_values(read, value, there[0]):
        return ['%s: %s is %r, tshark: %r' % (what, '/'.join(path + [name]), value, there[0].show)]
    return []


def compare(what, tree, packet, missing):
    fields = []
    collect(packet, None, fields)
    path = []
    for line in tree:
        depth, at, size, name, value = line
        path = path[:depth]
        wrong.extend(compare_field(what, path, (at, size, name, value), fields))
        path.append(name)
    for field in fields:
        if not field.is_used and field.size > 0 and field.name not in ('geninfo', 'frame'):
            missing[field.protocol, field.name or field.label.split(':')[0]] += 1


# Fields that only the tree has.
OWN = {'Data', 'Not captured', 'Fragment', 'Body', 'IGMP', 'GRE', 'ESP'}


def write_capture(path, frames):
    links = sorted({link for _, link, _, _ in frames})

    def make_block(kind, body):
        body += bytes(-len(body) % 4)
        return struct.pack('<II', kind, 12 + len(body)) + body + struct.pack('<I', 12 + len(body))

    with open(path, 'wb') as out:
        out.write(make_block(0x0a0d0d0a, struct.pack('<IHHq', 0x1a2b3c4d, 1, 0, -1)))
        for link in links:
            out.write(make_block(1, struct.pack('<HHI', link, 0, 0)))
        for i, (_, link, data, length) in enumerate(frames):
            out.write(make_block(6, struct.pack('<IIIII', links.index(link), 0, i, len(data), length) + data))


def read_capture(path):
    """Reads the frames of a pcapng file that the command line exported."""
    frames = []
    links = []
    with open(path, 'rb') as file:
        data = file.read()
    at = 0
    while at < len(data):
        kind, size = struct.unpack_from('<II', data, at)
        if kind == 1:
            links.append(struct.unpack_from('<H', data, at + 8)[0])
        elif kind == 6:
            interface, _, _, captured, length = struct.unpack_from('<IIIII', data, at + 8)
            frames.append(('packet %d' % (len(frames) + 1), links[interface], data[at + 28:at + 28 + captured], length))
        at += size
    return frames


def print_trees(program, frames):
    lines = ''.join('%d %d %s\n' % (link, length, data.hex()) for _, link, data, length in frames if data)
    out = subprocess.run([program], input=lines, capture_output=True, text=True, check=True).stdout
    trees = [[]]
    for line in out.split('\n')[:-1]:
        if line == '':
            trees.append([])
            continue
        depth, at, size, name, value = line.split('\t')
        trees[-1].append((int(depth), int(at), int(size), name, value.replace('\\"', '"')))
    return trees[:-1]


def compare_capture(what, path, frames, args, missing):
    words = ['tshark', '-n', '-r', path, '-T', 'pdml'] + [word for one in PREFERENCES for word in ('-o', one)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    packets = xml.etree.ElementTree.fromstring(done.stdout).findall('packet')
    trees = print_trees(args.print_tree, frames)
    if not len(packets) == len(trees) == len(frames):
        wrong.append('%s: %d frames, %d trees, %d packets' % (what, len(frames), len(trees), len(packets)))
    for (name, _, _, _), tree, packet in zip(frames, trees, packets):
        compare('%s: %s' % (what, name), tree, packet, missing)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('cli')
    parser.add_argument('print_tree')
    parser.add_argument('traces')
    parser.add_argument('--all', action='store_true')
    parser.add_argument('--capture', action='append', default=[])
    args = parser.parse_args()
    if shutil.which('tshark') is None:
        return SKIPPED
    missing = collections.Counter()
    frames = [(name, link, data, len(data)) for name, link, data in tree_frames.make_all()]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'frames.pcapng')
        write_capture(path, frames)
        compare_capture(FRAMES[:-2], path, frames, args, missing)
        for protocol, (_, names) in PROTOCOLS.items():
            wrong.extend('no frame has %s: %s' % (protocol, name) for name in names if (protocol, name) not in compared)
        for trace in sorted(glob.glob(args.traces + '/*.etl') + glob.glob(args.traces + '/synthetic/*.etl')):
            path = os.path.join(folder, 'trace.pcapng')
            done = subprocess.run([args.cli, 'export', '--as', 'pcapng', '-o', path, trace, '--include-secrets'], capture_output=True, check=False)
            if done.returncode == 0:
                compare_capture(os.path.basename(trace), path, read_capture(path), args, missing)
        for path in args.capture:
            compare_capture(os.path.basename(path), path, read_capture(path), args, missing)
    if args.all:
        for (protocol, name), n in missing.most_common():
            print('not in the tree: %s %s (%d)' % (protocol, name, n))
    print('\n'.join(wrong))
    version = subprocess.run(['tshark', '--version'], capture_output=True, text=True, check=True).stdout.split()[2]
    return 1 if wrong and version == VERSION else 0


sys.exit(main())
