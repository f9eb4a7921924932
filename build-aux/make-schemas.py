#!/usr/bin/env python3
# Condenses instrumentation manifests into data/schemas, the file of built-in schemas.
#
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes data/schemas, the built-in schemas, and prints its numbers of entries on standard error.

Use: make-schemas.py MANIFESTS data/schemas

MANIFESTS contains one folder for each Windows build, whose name ends in the build number
(Win10-19045), and optionally all/*.tar.xz, one archive for each build, named likewise.  A name without
a number counts as the oldest build.  The script copies only facts: names, numbers, types, lengths,
counts and short labels, but no event messages.

Format of the file (all numbers are little-endian):

  8 bytes "NSSCHEMA", then u32: format (1), providers n, size of the names, size of the dictionary,
  CRC-32 of the bytes between this head and the first block, size of the file, 0, 0
  n sorted GUIDs of 16 bytes; u32[n] offset of the name; u32[n] offset of the block; u32[n] packed size;
  u32[n] unpacked size
  the names, each terminated by a NUL; the zlib dictionary of the blocks
  n blocks (zlib), one for each provider: u32[8] counts of ROWS, then COLUMNS, then the texts

A text is an offset into the pool at the end of its block, 0 for none; maps are numbered from 1, 0 for
none.  Events are sorted by id, version, then build, newest first: if two builds use different layouts
for one version, each has a row.
"""
import collections
import pathlib
import re
import struct
import sys
import tarfile
import xml.etree.ElementTree as ET
import zlib

NS = '{http://schemas.microsoft.com/win/2004/08/events}'
LABEL_MAX = 48

IN = {'UnicodeString': 1, 'AnsiString': 2, 'Int8': 3, 'UInt8': 4, 'Int16': 5, 'UInt16': 6, 'Int32': 7,
      'UInt32': 8, 'Int64': 9, 'UInt64': 10, 'Float': 11, 'Double': 12, 'Boolean': 13, 'Binary': 14,
      'GUID': 15, 'Pointer': 16, 'FILETIME': 17, 'SYSTEMTIME': 18, 'SID': 19, 'HexInt32': 20,
      'HexInt64': 21, 'CountedUtf16String': 22, 'CountedUnicodeString': 22, 'CountedAnsiString': 23,
      'CountedMbcsString': 23, 'CountedBinary': 25}
OUT = {'xs:string': 1, 'xs:dateTime': 2, 'xs:byte': 3, 'xs:unsignedByte': 4, 'xs:short': 5,
       'xs:unsignedShort': 6, 'xs:int': 7, 'xs:unsignedInt': 8, 'xs:long': 9, 'xs:unsignedLong': 10,
       'xs:float': 11, 'xs:double': 12, 'xs:boolean': 13, 'xs:GUID': 14, 'xs:hexBinary': 15,
       'win:HexInt8': 16, 'win:HexInt16': 17, 'win:HexInt32': 18, 'win:HexInt64': 19, 'win:PID': 20,
       'win:TID': 21, 'win:Port': 22, 'win:IPv4': 23, 'win:IPv6': 24, 'win:SocketAddress': 25,
       'win:CIMDateTime': 26, 'win:ETWTIME': 27, 'win:Xml': 28, 'win:ErrorCode': 29,
       'win:Win32Error': 30, 'win:NTSTATUS': 31, 'win:HResult': 32, 'win:Json': 34, 'win:Utf8': 35}
LEVELS = {'Always': 0, 'LogAlways': 0, 'Critical': 1, 'Error': 2, 'Warning': 3, 'Informational': 4,
          'Verbose': 5}
OPCODES = {'Info': 0, 'Start': 1, 'Stop': 2, 'DC_Start': 3, 'DC_Stop': 4, 'Extension': 5, 'Reply': 6,
           'Resume': 7, 'Suspend': 8, 'Send': 9, 'Receive': 240}

# Flags of NsSchemaField.
STRUCT, LENGTH_REF, COUNT_REF, FIXED_LENGTH, FIXED_COUNT = 1, 2, 4, 8, 16
COUNTING = {4, 6, 8, 20}  # in-types of fields that can hold a length or a count

# Labels that the manifest collections contain without their spaces.
SPACED = {re.sub(r'\s', '', text): text for text in (
    'Data sent.', 'Data received.', 'Connection attempted.', 'Disconnect issued.',
    'Data retransmitted.', 'Connection accepted.', 'Reconnect attempted.',
    'TCP connection attempt failed.', 'Protocol copied data on behalf of user.',
    'Data sent over UDP protocol.', 'Data received over UDP protocol.',
    'UDP connection attempt failed.')}

# Matches sentences that the collections contain without their spaces.
SQUEEZED = re.compile(r'[a-z]{22}|\.$|\._\d')

# Names of fields whose meaning differs from event to event.
EVERYDAY = {'Type', 'State', 'Reason', 'Result', 'Flags', 'Family', 'Option', 'Source', 'Group', 'Format', 'Mode', 'Role',
            'Cause', 'Event', 'Setting', 'Oid', 'Bind', 'Status', 'Error', 'Feature', 'Component', 'Category',
            'InstanceId', 'FunctionName', 'ConnectionType', 'ComponentId', 'NewState', 'OldState', 'NextState', 'EventId',
            'OnexEnabled', 'RequestType', 'ResponseType', 'MessageType', 'NotificationType'}

# The columns of a block, in file order: name, width in bytes, the kind of row that the column describes.
ROWS = ('events', 'layouts', 'places', 'fields', 'maps', 'entries', 'keywords', 'texts')
COLUMNS = (
    ('event_task', 4, 'events'), ('event_opcode', 4, 'events'), ('event_keywords', 4, 'events'),
    ('event_name', 4, 'events'), ('event_channel', 4, 'events'), ('layout_first', 4, 'layouts'),
    ('field_name', 4, 'fields'), ('map_first', 4, 'maps'), ('entry_value', 4, 'entries'), ('entry_name', 4, 'entries'),
    ('keyword_low', 4, 'keywords'), ('keyword_high', 4, 'keywords'), ('keyword_name', 4, 'keywords'),
    ('event_id', 2, 'events'), ('event_build', 2, 'events'), ('event_layout', 2, 'events'),
    ('layout_n_fields', 2, 'layouts'), ('layout_n_top', 2, 'layouts'), ('places', 2, 'places'),
    ('field_map', 2, 'fields'), ('field_in_type', 2, 'fields'), ('field_count', 2, 'fields'),
    ('field_length', 2, 'fields'), ('field_first_member', 2, 'fields'), ('field_n_members', 2, 'fields'),
    ('map_n_entries', 2, 'maps'),
    ('event_version', 1, 'events'), ('event_level', 1, 'events'), ('field_out_type', 1, 'fields'),
    ('field_flags', 1, 'fields'), ('map_is_bitmap', 1, 'maps'))
DICTIONARY_SIZE = 32768  # the window size of zlib

TCPIP_GUID = '2f07e2ee-15db-40f1-90ef-9d7ba282188a'
# Maps of fields with general names, whose meaning depends on the event.
MAPS = {
    (TCPIP_GUID, 1051, 'OldState'): 'TCP_CONNECTION_STATE_ValueMap',
    (TCPIP_GUID, 1051, 'NewState'): 'TCP_CONNECTION_STATE_ValueMap',
    (TCPIP_GUID, 1214, 'Reason'): 'TCPIP_TRANSPORT_PACKET_DROP_REASON_ValueMap',
    (TCPIP_GUID, 1215, 'Reason'): 'TCPIP_NETWORK_PACKET_DROP_REASON_ValueMap',
    (TCPIP_GUID, 1423, 'DropReason'): 'ICMP_PACKET_DROP_REASON_ValueMap',
    (TCPIP_GUID, 1300, 'State'): 'TCP_CONNECTION_STATE_ValueMap',
    (TCPIP_GUID, 1479, 'Reason'): 'TCP_RST_SEND_REASON_ValueMap',
}

# Short labels for drop reasons that the manifests explain in a sentence: map, value, label.
WORDS = {(m, int(v, 0)): text for m, v, text in (line.split(None, 2) for line in """
    AFD_DGRAM_DROP_ValueMap 0x1 Sender is not the connected peer
    AFD_DGRAM_DROP_ValueMap 0x4 Buffer full, circular queueing on
    TCPIP_SLOW_PATH_REASON_ValueMap 0x6 Destination is not unicast
    TCPIP_SLOW_PATH_REASON_ValueMap 0xe DHCP address in promiscuous use
    TCPIP_SLOW_PATH_REASON_ValueMap 0xf ECN not negotiated
    TCPIP_SLOW_PATH_REASON_ValueMap 0x1d Next header unfit for the fast path
    TCPIP_SLOW_PATH_REASON_ValueMap 0x20 More than one net buffer
    ICMP_PACKET_DROP_REASON_ValueMap 0x1e Source is not on this link
    ICMP_PACKET_DROP_REASON_ValueMap 0x1f Redirect with a wrong address
    ICMP_PACKET_DROP_REASON_ValueMap 0x21 Solicited advertisement to multicast
    ICMP_PACKET_DROP_REASON_ValueMap 0x25 Advertisement of an unknown router
    ARP_PACKET_DROP_REASON_ValueMap 0x2 Link address is our own
    DropReason 0x16 vSwitch over vSwitch
    DropReason 0x22 Not for the packet filter of the NIC
    DropReason 0x24 Untagged traffic not allowed on the port
    DropReason 0x265 No interface for the isolation id
    DropReason 0x266 More than one net buffer
    DropReason 0x3b3 Not accepted over loopback
    DropReason 0x3d5 ICMP: source is not on this link
    DropReason 0x3d6 ICMP: redirect with a wrong address
    DropReason 0x3d8 ICMP: solicited advertisement to multicast
    DropReason 0x3d9 ICMP: link address is our own
    DropReason 0x3db ICMP: advertisement of an unknown router
    DropReason 0x3dc ICMP: advertisement of an unknown router
    DropReason 0x3dd ICMP: advertisement of an unknown router
    DropReason 0x3de ICMP: advertisement of an unknown router
    DropReason 0x3e2 ARP: link address is our own
    DropReason 0x3e5 Segment exceeds the MTU of the next link
    DropReason 0x4c7 TCP: wrong flags at a listener
    DropReason 0x4c9 TCP: RST outside the window in TIME-WAIT
    DropReason 0x4ca TCP: SYN with other flags in TIME-WAIT
    DropReason 0x4cd TCP: listener pauses accepting
    DropReason 0x4ce TCP: SYN dropped, memory is short
    DropReason 0x516 SLB: first fragment missing
    DropReason 0x517 SLB: packet in the ICMP error unreadable
    DropReason 0x518 SLB: ICMP error of no session
    DropReason 0x519 SLB: no next hop for hairpinning
    DropReason 0x51a SLB: no static mapping lets it in
    DropReason 0x51b SLB: next hop went away
    DropReason 0x51f SLB: exceeds the next hop's MTU
    DropReason 0x523 SLB: not an external interface
    DropReason 0x524 SLB: interface without an instance
    DropReason 0x525 SLB: device cannot be an internal host
    DropReason 0x526 SLB: routable where it arrived
    DropReason 0x527 SLB: protocol not supported
    DropReason 0x529 SLB: outside of the external ports
    DropReason 0x52b SLB: no address configuration
    DropReason 0x52c SLB: encapsulated packet not sent
    DropReason 0x52d SLB: wrong encapsulation of a probe
    DropReason 0x52e SLB: redirect instead of a probe
    DropReason 0x579 IPsec: no association of this number
    DropReason 0x57a IPsec: association expired
    DropReason 0x57b IPsec: association does not fit
    DropReason 0x57c IPsec: replayed sequence number
    DropReason 0x57d IPsec: header or trailer invalid
    DropReason 0x580 IPsec: ESP in authenticated firewall mode
    DropReason 0x581 IPsec: throttled against flooding
    DropReason 0x582 IPsec: blocked by a rule
    DropReason 0x583 IPsec: multicast not allowed
    DropReason 0x584 IPsec: malformed packet
    DropReason 0x585 IPsec: no state
    DropReason 0x586 IPsec: state table full
    DropReason 0x587 IPsec: keying module not allowed
    DropReason 0x588 IPsec: too many rate limit queues
    DropReason 0x5dd NetCx: packet layout unreadable
    DropReason 0x5de NetCx: checksum not computed
    DropReason 0xbbe HTTP: no such host
    DropReason 0xbc3 HTTP: URL forbidden
    DropReason 0xbc4 HTTP: resource not found
    DropReason 0xbca HTTP: host and SNI differ
    DropReason 0xbcb HTTP: internal failure
    DropReason 0xbcd HTTP: listener unavailable
    DropReason 0xbd0 HTTP: request queue full
    DropReason 0xbd1 HTTP: switched off by the administrator
    DropReason 0xbd2 HTTP: switched off by the listener
    DropReason 0xd4a HTTP: internal collection error
    DropReason 0xed8 HTTP: no details
    DropReason 0xedc HTTP: not supported
    DropReason 0xedd HTTP: bad network path
    DropReason 0xedf HTTP: no such security package
    DropReason 0xee0 HTTP: privilege missing
    DropReason 0xee3 HTTP: credentials invalid
    DropReason 0xee5 HTTP: no logon server
    DropReason 0xee6 HTTP: clocks differ
""".strip().splitlines())}

# Members of structs, which the collections omit, by event id of Microsoft-Windows-DotNETRuntime.
# Source: ClrEtwAll.man in github.com/dotnet/runtime.
CLR_STRUCTS = {
    15: 'TypeID:10 ModuleID:10 TypeNameID:8 Flags:8 CorElementType:4 Name:1 TypeParameterCount:8 '
        'TypeParameters:10[TypeParameterCount]',
    16: 'RootedNodeAddress:16 GCRootKind:4 GCRootFlag:8 GCRootID:16',
    17: 'GCKeyNodeID:16 GCValueNodeID:16 GCRootID:16',
    18: 'Address:16 Size:10 TypeID:10 EdgeCount:10',
    19: 'Value:16 ReferencingFieldID:8',
    21: 'RangeBase:16 RangeLength:10',
    22: 'OldRangeBase:16 NewRangeBase:16 RangeLength:10',
    36: 'GCRootID:10 ObjectID:10 TypeID:10 IUnknown:10 RefCount:8 PeggedRefCount:8 Flags:8',
    37: 'ObjectID:10 TypeID:10 IUnknown:10 VTable:10 RefCount:8 Flags:8',
    38: 'GCRootID:10 ObjectID:10 TypeID:10 Flags:8 FieldName:1',
}
CLR_GUID = 'e13c0d23-ccbc-4e12-931b-d9cc2eee27e4'
NDIS_CAPTURE_GUID = '2ed6006e-4729-4609-b423-3ee7bcd678ef'

SOCKADDR_PROVIDERS = {'Microsoft-Windows-' + name for name in (
    'TCPIP', 'WinINet', 'Winsock-AFD', 'Winsock-Sockets', 'HttpService', 'DNS-Client', 'SMBClient')}
MAC = re.compile(r'^(MacAddress\d?|BSSID|BSSIDList|LocalAddr|PeerAddr|Addr|\w+MAC)$')


class Field:
    """A field; it refers to other fields by name until resolve() replaces the names with numbers."""

    def __init__(self, name, in_type):
        self.name, self.in_type = name, in_type
        self.out_type = self.flags = self.count = self.length = self.first = self.n_members = 0
        self.length_of = self.count_of = self.map = None

    def shape(self):
        return self.name, self.in_type


class Event:
    """The description of one (id, version) in one manifest."""


def label(text):
    """Returns text as a label; None for a sentence, a long text or a name generated by a collection."""
    text = re.sub(r'^win:', '', (text or '').strip())
    if re.match(r'^task_0', text):
        return None
    text = re.sub(r'(_\d+)?_\d+$', '', text) if re.match(r'^[A-Za-z0-9]+(_\d+){2}$', text) else text
    if not text or text.lower() == 'none' or re.match(r'^(task|opcode|keyword)_[0-9A-Fa-f]+$', text):
        return None
    text = SPACED.get(text, text)
    if text not in SPACED.values() and SQUEEZED.search(text):
        return None
    return text if len(text) <= LABEL_MAX else None


def map_label(map_name, value, text):
    """Returns the label of a map entry: from WORDS, the text if it is short, or the word before its colon."""
    if (map_name, value) in WORDS:
        return WORDS[map_name, value]
    text = (text or '').strip()
    if re.match(r'^\w{1,64}$', text):
        return text
    if text.endswith('.') and text.count(' ') >= 5:
        return None
    if len(text) <= LABEL_MAX:
        return text or None
    head = re.match(r'^(\w{3,}): ', text)
    return head[1] if head and ' ' not in head[1] else None


def out_type_of(provider, field, is_network):
    """Returns the out-type, which the collections omit, if the name of the field implies it; otherwise 0."""
    name, length = field.name, field.length_of or ''
    if not is_network:
        return 0
    if provider == 'Microsoft-Windows-Kernel-Network':
        if name in ('daddr', 'saddr'):
            return 24 if field.in_type == 14 else 23
        if name in ('dport', 'sport'):
            return 22
    if field.in_type == 8 and re.search(r'IPv4\w*(Addr|NextHop|Prefix)', name):
        return 23
    if field.in_type != 14:
        return 0
    if length:
        if provider not in SOCKADDR_PROVIDERS or re.search(r'^(Dl|HW|Mac)', length):
            return 0
        if re.search(r'Ip(Source|Dest)?AddrLength$', length) and provider.endswith('TCPIP'):
            return 24
        return 25 if re.search(r'Addr|NextHop|Prefix$', name) else 0
    if not MAC.match(name) and not provider.endswith('AFD') and re.search(r'^(Ip)?Address\d?$|IP$', name):
        return 24
    if provider.endswith(('DNS-Client', 'NDIS', 'WLAN-AutoConfig')) and \
            name in ('SourceAddress', 'DestinationAddress'):
        return 24
    return 0


def fixed_length_of(field, earlier, is_network):
    """Returns the length of a binary field for which the collections give none; None if it is unknown."""
    if field.out_type == 24:
        return 16
    if is_network and MAC.match(field.name):
        return 6
    known = {'NetLuid': 8, 'EndCertHash': 20}  # NET_LUID; FWP_BYTE_ARRAY20
    if field.name in known:
        return known[field.name]
    if field.name + 'Length' in earlier:
        field.length_of = field.name + 'Length'
        return 0
    return None


def struct_members(guid, event_id, name):
    if guid == CLR_GUID and event_id in CLR_STRUCTS:
        for word in CLR_STRUCTS[event_id].split():
            member, in_type, count = re.match(r'(\w+):(\d+)(?:\[(\w+)\])?$', word).groups()
            field = Field(member, int(in_type))
            field.count_of = count
            yield field


def flatten(template):
    """Yields the fields of a template as (element, members); members is None unless it is a struct."""
    for element in template if template is not None else ():
        if element.tag == NS + 'struct':
            yield element, [e for e in element if e.tag == NS + 'data']
        elif element.tag == NS + 'data':
            yield element, None


def field_of(element):
    kind = (element.get('inType') or '').removeprefix('win:')
    field = Field(element.get('name'), IN.get(kind, int(kind) if kind.isdigit() else 0))
    field.length_of, field.count_of = element.get('length'), element.get('count')
    field.map = element.get('map')
    return field


def size_field(field, element, provider, earlier, is_network):
    """Sets the out-type and the length of a field; returns False if the length cannot be determined."""
    if field.in_type == 0:
        return False
    out = element.get('outType') if element is not None else None
    field.out_type = OUT.get(out, 0) if out else field.out_type or out_type_of(provider, field, is_network)
    if field.in_type == 14 and not field.length_of and not field.length:
        length = fixed_length_of(field, earlier, is_network)
        if length is None:
            return False
        field.length = length
        field.flags |= FIXED_LENGTH if length else 0
    for wanted in (field.length_of, field.count_of):
        if wanted and not wanted.isdigit() and bare(wanted) not in earlier:
            return False
    return True


def bare(name):
    """Returns a name without white space, which the collections keep in either the field or the reference."""
    return re.sub(r'\s', '', name)


def make_struct(field, inside, members):
    field.in_type, field.flags = 0, STRUCT
    field.first, field.n_members = len(members), len(inside)
    members += inside


def read_members(elements, provider, is_network):
    """Returns the members of a struct that the manifest describes; None if the size of one is unknown."""
    members, earlier = [], set()
    for element in elements:
        field = field_of(element)
        if not size_field(field, element, provider, earlier, is_network):
            return None
        members.append(field)
        if field.in_type in COUNTING:
            earlier.add(bare(field.name))
    return members


def read_layout(provider, guid, event_id, template, is_network):
    """Returns the fields of a template, followed by the members of its structs, and the number of the former.

    The layout ends before the first field whose size is unknown.
    """
    data = list(flatten(template))
    fields, members, earlier = [], [], set()
    for element, inside in data:
        field = field_of(element)
        if inside is not None:
            inside = read_members(inside, provider, is_network)
            if not inside or field.count_of and not field.count_of.isdigit() and bare(field.count_of) not in earlier:
                break
            make_struct(field, inside, members)
        # Without its members, a struct appears as an array whose in-type is the number of its first member.
        elif field.count_of and field.in_type >= len(data) and \
                (field.in_type == len(data) or field.in_type not in IN.values()):
            if guid == NDIS_CAPTURE_GUID and field.name == 'Destination':
                field.in_type, field.length, field.flags = 14, 8, FIXED_LENGTH  # 8 bytes each, as observed in traces
            else:
                inside = list(struct_members(guid, event_id, field.name))
                if not inside:
                    break
                make_struct(field, inside, members)
        if provider == 'Microsoft-Windows-Kernel-Network' and field.name == 'connid':
            field.in_type = IN['Pointer']  # UInt32 in the manifest, but 4 or 8 bytes in traces
            field.out_type = 10  # xs:unsignedLong: a decimal number of either width
        if not field.flags & STRUCT:
            if field.in_type not in IN.values() or not size_field(field, element, provider, earlier, is_network):
                break
        fields.append(field)
        if field.in_type in COUNTING:
            earlier.add(bare(field.name))
    for field in fields:
        if field.flags & STRUCT:
            field.first += len(fields)
    n_top = len(fields)
    resolve(fields, 0)
    resolve(members, n_top)
    return fields + members, n_top


def resolve(fields, base):
    """Replaces references by name with the number of the nearest earlier integer field of that name."""
    for number, field in enumerate(fields):
        for attribute, flag in (('length', LENGTH_REF), ('count', COUNT_REF)):
            wanted = getattr(field, attribute + '_of')
            if not wanted:
                continue
            if wanted.isdigit():
                setattr(field, attribute, int(wanted))
                field.flags |= FIXED_LENGTH if flag == LENGTH_REF else FIXED_COUNT
                continue
            target = [n for n in range(number)
                      if bare(fields[n].name) == bare(wanted) and fields[n].in_type in COUNTING]
            setattr(field, attribute, base + target[-1])
            field.flags |= flag


def parse(text):
    """Returns the root element of a manifest, after escaping quotation marks in attributes if needed."""
    try:
        return ET.fromstring(text)
    except ET.ParseError:
        def escape(match):
            value = match[2].replace('&quot;', '"').replace('&lt;', '<').replace('&gt;', '>').replace('&amp;', '&')
            return match[1] + value.replace('&', '&amp;').replace('<', '&lt;').replace('"', '&quot;') + match[3]
        text = text.decode('utf-8-sig', 'replace')
        return ET.fromstring(re.sub(r'(\s[\w:]+=")(.*?)("(?=\s+[\w:]+="|\s*/?>\r?\n|\s*/?>$))', escape, text))


def read_manifest(text, build, is_network, out):
    root = parse(text)
    strings = {s.get('id'): s.get('value') for s in root.iter(NS + 'string')}

    def message(element):
        match = re.match(r'\$\(string\.(.*)\)$', element.get('message') or '', re.S)
        return strings.get(match[1]) if match else None

    def named(element):
        return label(message(element)) or label(element.get('name'))

    for provider in root.iter(NS + 'provider'):
        guid, name = provider.get('guid').strip('{}').lower(), provider.get('name')
        out['providers'].setdefault(guid, (build, name))
        if is_network:
            out['network'].add(guid)
        maps = out['maps'].setdefault(guid, {})
        for kind in ('valueMap', 'bitMap'):
            for element in provider.iter(NS + kind):
                entries = ((value, map_label(element.get('name'), value, message(e)))
                           for e in element.iter(NS + 'map') for value in [int(e.get('value'), 0) & 0xffffffff])
                maps.setdefault(element.get('name'),
                                (kind == 'bitMap', tuple(sorted({v: t for v, t in entries if t}.items()))))
        keywords = {k.get('name'): label(k.get('name')) if message(k) and len(message(k)) > LABEL_MAX else named(k)
                    for k in provider.iter(NS + 'keyword')}
        for element in provider.iter(NS + 'keyword'):
            mask, text = int(element.get('mask') or '0', 0), keywords[element.get('name')]
            if text and mask and mask & mask - 1 == 0 and mask >> 64 == 0:
                out['keywords'].setdefault(guid, {}).setdefault(mask, text)
        tasks = {t.get('name'): t for t in provider.iter(NS + 'task')}
        opcodes = {o.get('name'): o for o in provider.findall(NS + 'opcodes/' + NS + 'opcode')}
        in_task = {(t, o.get('name')): o for t, e in tasks.items() for o in e.iter(NS + 'opcode')}
        channels = {c.get('chid') or c.get('name'): c.get('name') for kind in ('channel', 'importChannel')
                    for c in provider.iter(NS + kind)}
        templates = {t.get('tid'): t for t in provider.iter(NS + 'template')}
        for element in provider.iter(NS + 'event'):
            if not element.get('value'):
                continue
            event = Event()
            event.build = build
            event_id, version = int(element.get('value'), 0), int(element.get('version') or 0)
            task, opcode = element.get('task'), element.get('opcode')
            event.task = named(tasks[task]) if task in tasks else None
            event.name = None if event.task else label(element.get('symbol'))
            found = in_task.get((task, opcode), opcodes.get(opcode))
            event.opcode = named(found) if found is not None else label(opcode) if opcode else 'Info'
            event.level = LEVELS.get((element.get('level') or '').removeprefix('win:'), 255)
            event.keywords = '|'.join(filter(None, (keywords.get(k) for k in (element.get('keywords') or '').split()))) or None
            event.channel = channels.get(element.get('channel'))
            event.fields, event.n_top = read_layout(name, guid, event_id, templates.get(element.get('template')),
                                                    guid in out['network'])
            out['events'].setdefault((guid, event_id, version), []).append(event)


def spread_maps(events):
    """Assigns maps to fields with the same name, because the collections name a map at one field only.

    Skips names in EVERYDAY, and names whose fields refer to different maps.  In traces that contain
    their own descriptions, all maps assigned this way agree with these descriptions.
    """
    used = {}
    for (guid, event_id, _), candidates in events.items():
        for event in candidates:
            for field in event.fields:
                known = MAPS.get((guid, event_id, field.name))
                field.map = known or field.map
                if field.map:
                    used.setdefault((guid, field.name, field.in_type), set()).add(field.map)
    for (guid, _, _), candidates in events.items():
        for event in candidates:
            for field in event.fields:
                maps = used.get((guid, field.name, field.in_type), ())
                if not field.map and len(maps) == 1 and field.name not in EVERYDAY:
                    field.map = next(iter(maps))


def choose(candidates):
    """Returns the layouts of one version, newest first, each with the newest build that uses it.

    If a layout only appends fields to another one, it replaces it; layouts that differ are all kept.
    """
    candidates.sort(key=lambda event: -event.build)
    kept = []
    for event in candidates:
        other = [f.shape() for f in event.fields[:event.n_top]]
        for i, best in enumerate(kept):
            mine = [f.shape() for f in best.fields[:best.n_top]]
            if [t for _, t in mine[:len(other)]] == [t for _, t in other]:  # equal, or a prefix of it
                if mine == other:
                    for a, b in zip(best.fields, event.fields):
                        a.out_type = a.out_type or b.out_type
                        a.map = a.map or b.map
                break
            if other[:len(mine)] == mine:
                kept[i] = event
                break
        else:
            kept.append(event)
    kept.sort(key=lambda event: -event.build)
    for best in kept:
        for event in candidates:
            for attribute in ('task', 'opcode', 'keywords', 'name', 'channel'):
                if getattr(best, attribute) is None:
                    setattr(best, attribute, getattr(event, attribute))
        if best.task:
            best.name = None
    return kept


def borrow_names(events):
    """Copies the task name from other versions of an event, because the collections of older builds have none."""
    named = {}
    for (guid, event_id, _), kept in events.items():
        for event in kept:
            if event.task and named.get((guid, event_id), (0, ''))[0] <= event.build:
                named[guid, event_id] = event.build, event.task
    for (guid, event_id, _), kept in events.items():
        for event in kept:
            if not event.task and (guid, event_id) in named:
                event.task, event.name = named[guid, event_id][1], None


class Pool:
    """A pool of unique texts, each identified by its offset; 0 means no text."""

    def __init__(self):
        self.offsets, self.texts, self.size = {}, [], 1

    def add(self, text):
        if text is None:
            return 0
        if text not in self.offsets:
            self.offsets[text] = self.size
            self.texts.append(text)
            self.size += len(text.encode()) + 1
        return self.offsets[text]


class Table:
    """A list of unique rows, each identified by its number."""

    def __init__(self):
        self.numbers, self.rows = {}, []

    def add(self, row):
        if row not in self.numbers:
            self.numbers[row] = len(self.rows)
            self.rows.append(row)
        return self.numbers[row]


def guid_bytes(guid):
    a, b, c, d, e = guid.split('-')
    return bytes.fromhex(a)[::-1] + bytes.fromhex(b)[::-1] + bytes.fromhex(c)[::-1] + bytes.fromhex(d + e)


class Block:
    """The events, layouts, maps and keywords of one provider, in columns."""

    def __init__(self):
        self.columns = {name: [] for name, _, _ in COLUMNS}
        self.pool, self.fields, self.layouts, self.maps, self.starts = Pool(), Table(), Table(), Table(), {}
        self.n_entries = 0

    def add(self, stem, **row):
        for name, value in row.items():
            self.columns[f'{stem}_{name}'].append(value)

    def add_map(self, found):
        if not found or not found[1]:
            return 0
        number = self.maps.add(found) + 1
        if len(self.columns['map_first']) < number:
            is_bitmap, values = found
            self.add('map', first=self.n_entries, n_entries=len(values), is_bitmap=int(is_bitmap))
            self.n_entries += len(values)
            for value, text in values:
                self.add('entry', value=value, name=self.pool.add(text))
        return number

    def add_layout(self, event, maps):
        numbers = []
        for f in event.fields:
            row = (self.pool.add(f.name), self.add_map(maps.get(f.map)), f.in_type, f.out_type, f.flags,
                   f.count if f.flags & (COUNT_REF | FIXED_COUNT) else 1, f.length, f.first, f.n_members)
            number = self.fields.add(row)
            numbers.append(number)
            if number == len(self.columns['field_name']):
                self.add('field', **dict(zip(('name', 'map', 'in_type', 'out_type', 'flags', 'count', 'length',
                                              'first_member', 'n_members'), row)))
        key = (event.n_top, tuple(numbers))
        if key not in self.starts:
            self.starts[key] = len(self.columns['places'])
            self.columns['places'] += numbers
            self.add('layout', first=self.starts[key], n_fields=len(numbers), n_top=event.n_top)
        return self.layouts.add((self.starts[key], *key))

    def add_event(self, event_id, version, event, maps):
        text = self.pool.add
        self.add('event', id=event_id, version=version, build=event.build, level=event.level,
                 layout=self.add_layout(event, maps), task=text(event.task), opcode=text(event.opcode),
                 keywords=text(event.keywords), name=text(event.name), channel=text(event.channel))

    def pack(self):
        first = {of: name for name, _, of in reversed(COLUMNS)}
        texts = b'\0' + b''.join(t.encode() + b'\0' for t in self.pool.texts)
        sizes = [len(self.columns[first[row]]) for row in ROWS[:-1]] + [len(texts)]
        kinds = {4: 'I', 2: 'H', 1: 'B'}
        return b''.join([struct.pack('<8I', *sizes)] +
                        [struct.pack(f'<{len(self.columns[name])}{kinds[width]}', *self.columns[name])
                         for name, width, _ in COLUMNS] + [texts])


def make_dictionary(blocks):
    """Returns the most common texts of all blocks, the most frequent last, where zlib encodes distances shortest."""
    counts = collections.Counter(text for block in blocks for text in block.pool.texts if len(text) > 3)
    chosen, size = [], 0
    for text, n in sorted(counts.items(), key=lambda item: (-item[1] * len(item[0]), item[0])):
        if n > 1 and size + len(text.encode()) + 1 <= DICTIONARY_SIZE:
            chosen.append((n, text))
            size += len(text.encode()) + 1
    return b''.join(text.encode() + b'\0' for _, text in sorted(chosen))


def deflate(data, dictionary):
    packer = zlib.compressobj(9, zdict=dictionary)
    return packer.compress(data) + packer.flush()


def read_all(folder):
    """Reads all manifests, newest builds first."""
    out = {'providers': {}, 'events': {}, 'maps': {}, 'keywords': {}, 'network': set(), 'files': 0}
    sources = []
    for path in sorted(folder.iterdir()):
        if path.name == 'all':
            sources += [(build_of(p.name.removesuffix('.tar.xz')), False, p) for p in sorted(path.glob('*.tar.xz'))]
        elif path.is_dir():
            sources.append((build_of(path.name), True, path))
    # Folders go first: they determine the network providers, which read_manifest() must know.
    for build, is_network, path in sorted(sources, key=lambda s: (not s[1], -s[0], s[2].name)):
        for text in texts_in(path):
            read_manifest(text, build, is_network, out)
            out['files'] += 1
    return out


def build_of(name):
    match = re.search(r'-(\d+)$', name)
    return int(match[1]) if match else 0


def texts_in(path):
    if path.is_dir():
        for file in sorted(path.iterdir()):
            if file.suffix in ('.xml', '.man'):
                yield file.read_bytes()
        return
    with tarfile.open(path) as archive:
        for member in sorted(archive.getmembers(), key=lambda m: m.name):
            if member.isfile() and member.name.endswith(('.xml', '.man')):
                yield archive.extractfile(member).read()


def make_blocks(read):
    chosen = {key: choose(candidates) for key, candidates in read['events'].items()}
    borrow_names(chosen)
    by_guid = {guid: [] for guid in read['providers']}
    for key in chosen:
        by_guid[key[0]].append(key)
    for guid in sorted(by_guid, key=guid_bytes):
        block = Block()
        for key in sorted(by_guid[guid]):
            for event in chosen[key]:
                block.add_event(key[1], key[2], event, read['maps'].get(guid, {}))
        for mask, text in sorted(read['keywords'].get(guid, {}).items()):
            block.add('keyword', low=mask & 0xffffffff, high=mask >> 32, name=block.pool.add(text))
        yield guid, read['providers'][guid][1], block


def write(path, rows):
    blocks = [block for _, _, block in rows]
    dictionary = make_dictionary(blocks)
    names, name_places = b'', []
    for _, name, _ in rows:
        name_places.append(len(names))
        names += name.encode() + b'\0'
    unpacked = [block.pack() for block in blocks]
    packed = [deflate(data, dictionary) for data in unpacked]
    n = len(rows)
    place = 40 + n * 32 + len(names) + len(dictionary)
    places = []
    for data in packed:
        places.append(place)
        place += len(data)
    directory = b''.join(
        [guid_bytes(guid) for guid, _, _ in rows] +
        [struct.pack(f'<{n}I', *column) for column in (name_places, places, [len(p) for p in packed],
                                                       [len(u) for u in unpacked])] + [names, dictionary])
    head = b'NSSCHEMA' + struct.pack('<8I', 1, n, len(names), len(dictionary), zlib.crc32(directory), place, 0, 0)
    path.write_bytes(head + directory + b''.join(packed))
    return place, sum(map(len, unpacked)), len(dictionary)


def main():
    read = read_all(pathlib.Path(sys.argv[1]))
    spread_maps(read['events'])
    rows = list(make_blocks(read))
    size, unpacked, dictionary = write(pathlib.Path(sys.argv[2]), rows)
    total = collections.Counter({row: sum(len(b.columns[name]) for _, _, b in rows) for name, _, row in COLUMNS})
    print(f'{read["files"]} manifests: {len(rows)} providers, {total["events"]} events, {total["layouts"]} layouts, '
          f'{total["fields"]} fields, {total["maps"]} maps, {total["entries"]} entries, {total["keywords"]} keywords; '
          f'{size} bytes, {unpacked} unpacked, {dictionary} of dictionary', file=sys.stderr)


main()
