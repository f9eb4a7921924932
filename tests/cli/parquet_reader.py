"""Reads the Parquet files that Netstitch writes: flat columns and lists, plain and dictionary encoding, Zstandard
compression.

Written from the specification of the format (parquet.thrift, Encodings.md, LogicalTypes.md) independently of the
writer, so that the two do not share mistakes.
"""
import ctypes
import ctypes.util
import struct

MAGIC = b'PAR1'
BOOLEAN, INT64, BYTE_ARRAY = 0, 2, 6
PLAIN, RLE, RLE_DICTIONARY = 0, 3, 8
DATA_PAGE, DICTIONARY_PAGE = 0, 2
CODEC_ZSTD = 6
OPTIONAL, REPEATED = 1, 2

_zstd = ctypes.CDLL(ctypes.util.find_library('zstd') or 'libzstd.so.1')
_zstd.ZSTD_decompress.restype = ctypes.c_size_t
_zstd.ZSTD_decompress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
_zstd.ZSTD_isError.argtypes = [ctypes.c_size_t]


def unpack(data, size):
    room = ctypes.create_string_buffer(max(size, 1))
    n = _zstd.ZSTD_decompress(room, size, data, len(data))
    if _zstd.ZSTD_isError(n) or n != size:
        raise ValueError(f'a page unpacks to {n} bytes, its header says {size}')
    return room.raw[:size]


class Thrift:
    """Decodes a struct of the Thrift compact protocol to a dictionary by field number."""

    def __init__(self, data, at):
        self.data = data
        self.at = at

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        number = shift = 0
        while True:
            byte = self.byte()
            number |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return number

    def zigzag(self):
        number = self.varint()
        return number >> 1 ^ -(number & 1)

    def value(self, kind):
        if kind in (1, 2):
            return kind == 1
        if kind == 3:
            return self.byte()
        if kind in (4, 5, 6):
            return self.zigzag()
        if kind == 8:
            n = self.varint()
            self.at += n
            return bytes(self.data[self.at - n:self.at])
        if kind == 9:
            head = self.byte()
            n = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.value(head & 15) for _ in range(n)]
        if kind == 12:
            return self.struct()
        raise ValueError(f'type {kind} of Thrift')

    def struct(self):
        fields = {}
        last = 0
        while True:
            head = self.byte()
            if head == 0:
                return fields
            number = last + (head >> 4) if head >> 4 else self.zigzag()
            if number <= last:
                raise ValueError('fields are not in their order')
            fields[number] = self.value(head & 15)
            last = number


def hybrid(data, at, end, width, n):
    """Decodes up to @n numbers of the RLE/bit-packing hybrid encoding."""
    values = []
    while len(values) < n:
        if at >= end:
            raise ValueError(f'{len(values)} of {n} levels or numbers are there')
        thrift = Thrift(data, at)
        head = thrift.varint()
        at = thrift.at
        if head & 1:
            size = (head >> 1) * width
            bits = int.from_bytes(data[at:at + size], 'little')
            values += [bits >> i * width & (1 << width) - 1 for i in range((head >> 1) * 8)]
        else:
            size = (width + 7) // 8
            values += [int.from_bytes(data[at:at + size], 'little')] * (head >> 1)
        at += size
    return values[:n], at


def plain(data, at, kind, n):
    if kind == BOOLEAN:
        return [bool(data[at + i // 8] >> i % 8 & 1) for i in range(n)]
    if kind == INT64:
        return list(struct.unpack_from(f'<{n}q', data, at))
    values = []
    for _ in range(n):
        size, = struct.unpack_from('<I', data, at)
        values.append(data[at + 4:at + 4 + size].decode())
        at += 4 + size
    return values


class Column:
    def __init__(self, name, kind, is_list, is_timestamp):
        self.name, self.kind, self.is_list, self.is_timestamp = name, kind, is_list, is_timestamp


def read_schema(elements):
    columns = []
    i = 1
    while i < len(elements):
        element = elements[i]
        name = element[4].decode()
        if element.get(5):
            repeated, leaf = elements[i + 1], elements[i + 2]
            if element[6] != 3 or 3 not in element[10] or repeated[3] != REPEATED or leaf[3] != 0:
                raise ValueError(f'{name} is no list as the format has them')
            columns.append(Column(name, leaf[1], True, False))
            i += 3
        else:
            if element[3] != OPTIONAL:
                raise ValueError(f'{name} is not optional')
            stamp = element.get(10, {}).get(8)
            if stamp is not None and (stamp[1] is not True or 3 not in stamp[2]):
                raise ValueError(f'{name} is no moment of nanoseconds in UTC')
            columns.append(Column(name, element[1], False, stamp is not None))
            i += 1
    return columns


def read_chunk(data, meta, column):
    """Returns the values of one column chunk, one per row."""
    at = meta.get(11, meta[9])
    end = at + meta[7]
    dictionary = None
    rows = []
    n_levels = uncompressed = 0
    if meta[4] != CODEC_ZSTD or meta[1] != column.kind:
        raise ValueError(f'{column.name}: codec or type')
    while n_levels < meta[5]:
        thrift = Thrift(data, at)
        header = thrift.struct()
        body = unpack(data[thrift.at:thrift.at + header[3]], header[2])
        uncompressed += thrift.at - at + header[2]
        at = thrift.at + header[3]
        if header[1] == DICTIONARY_PAGE:
            dictionary = plain(body, 0, column.kind, header[7][1])
            continue
        n = header[5][1]
        place = 0
        repetitions = [0] * n
        if column.is_list:
            size, = struct.unpack_from('<I', body, place)
            repetitions, _ = hybrid(body, place + 4, place + 4 + size, 1, n)
            place += 4 + size
        size, = struct.unpack_from('<I', body, place)
        definitions, _ = hybrid(body, place + 4, place + 4 + size, 2 if column.is_list else 1, n)
        place += 4 + size
        full = 2 if column.is_list else 1
        n_values = definitions.count(full)
        if header[5][2] == RLE_DICTIONARY:
            numbers, _ = hybrid(body, place + 1, len(body), body[place], n_values)
            values = [dictionary[number] for number in numbers]
        elif header[5][2] == PLAIN:
            values = plain(body, place, column.kind, n_values)
        else:
            raise ValueError(f'{column.name}: encoding {header[5][2]}')
        values = iter(values)
        for repetition, definition in zip(repetitions, definitions):
            value = next(values) if definition == full else None
            if not column.is_list:
                rows.append(value)
            elif repetition:
                rows[-1].append(value)
            else:
                rows.append(None if definition == 0 else [] if definition == 1 else [value])
        n_levels += n
    if at != end or uncompressed != meta[6]:
        raise ValueError(f'{column.name}: lengths in the footer')
    check_statistics(column, meta.get(12, {}), rows)
    return rows


def check_statistics(column, statistics, rows):
    if statistics[3] != sum(row is None for row in rows):
        raise ValueError(f'{column.name}: number of nulls')
    known = [row for row in rows if row is not None]
    if 5 not in statistics or column.is_list:
        return
    least, most = min(known, key=sortable), max(known, key=sortable)
    if (encode(least), encode(most)) != (statistics[6], statistics[5]):
        raise ValueError(f'{column.name}: least and greatest')


def sortable(value):
    return value.encode() if isinstance(value, str) else value


def encode(value):
    if isinstance(value, bool):
        return bytes([value])
    return value.encode() if isinstance(value, str) else struct.pack('<q', value)


def read(path):
    """Returns the columns, and the rows as dictionaries."""
    with open(path, 'rb') as file:
        data = file.read()
    if data[:4] != MAGIC or data[-4:] != MAGIC:
        raise ValueError(f'{path} is no Parquet file')
    n_footer, = struct.unpack_from('<I', data, len(data) - 8)
    footer = Thrift(data, len(data) - 8 - n_footer).struct()
    columns = read_schema(footer[2])
    rows = []
    for group in footer[4]:
        chunks = [read_chunk(data, chunk[3], column) for chunk, column in zip(group[1], columns)]
        if any(len(chunk) != group[3] for chunk in chunks):
            raise ValueError('chunks of a group have different numbers of rows')
        rows += [dict(zip([column.name for column in columns], row)) for row in zip(*chunks)]
    if len(rows) != footer[3]:
        raise ValueError('number of rows in the footer')
    return columns, rows
