"""Simulated captures of one network by two machines whose clocks differ.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import random
import socket
import struct

SYN, ACK, PSH, FIN = 2, 16, 8, 1
MS, US = 1_000_000, 1_000
START = 1_700_000_000_000_000_000


class Network:
    """The network between two machines; `seen` has the (time, frame) captures of the client and of the server."""

    def __init__ (self, seed, offset, drift, delay, jitter):
        self.random = random.Random (seed)
        self.offset, self.drift, self.delay, self.jitter = offset, drift, delay, jitter
        self.seen = ([], [])

    def there (self, time):
        return time + self.offset + round (self.drift * (time - START))

    def way (self):
        return self.delay + round (self.random.expovariate (1 / self.jitter))

    def frame (self, ends, is_back, seq, ack, flags, data=b''):
        (src, sport), (dst, dport) = reversed (ends) if is_back else ends
        tcp = struct.pack ('>HHIIBBHHH', sport, dport, seq & 0xffffffff, ack & 0xffffffff, 0x50, flags, 65535, 0, 0) + data
        ip = struct.pack ('>BBHHHBBH4s4s', 0x45, 0, 20 + len (tcp), 0, 0x4000, 64, 6, 0, socket.inet_aton (src),
                          socket.inet_aton (dst))
        return bytes (12) + b'\x08\x00' + ip + tcp

    def send (self, time, ends, is_back, seq, ack, flags, data=b'', there=None, is_lost=False):
        """Sends one segment at `time` of the client's clock; returns its arrival time. `there` has the endpoints as the
        server sees them if they are translated, or False if the server does not capture the segment."""
        arrives = time + self.way ()
        at_client, at_server = (arrives, time) if is_back else (time, arrives)
        if not (is_back and is_lost):
            self.seen[0].append ((at_client, self.frame (ends, is_back, seq, ack, flags, data)))
        if there is not False and not (is_lost and not is_back):
            self.seen[1].append ((self.there (at_server), self.frame (there or ends, is_back, seq, ack, flags, data)))
        return arrives

    def connect (self, time, ends, there=None):
        isn, peer = self.random.getrandbits (32), self.random.getrandbits (32)
        came = self.send (time, ends, False, isn, 0, SYN, there=there)
        back = self.send (came + 20 * US, ends, True, peer, isn + 1, SYN | ACK, there=there)
        self.send (back + 10 * US, ends, False, isn + 1, peer + 1, ACK, there=there)
        return back + 50 * US, [isn + 1, peer + 1]

    def request (self, time, ends, numbers, path, work, there=None, n_bytes=200):
        """Returns the times of the response's arrival, of the request's arrival and of the response's departure."""
        text = f'GET {path} HTTP/1.1\r\nHost: intranet\r\n\r\n'.encode ()
        body = b'x' * n_bytes
        answer = f'HTTP/1.1 200 OK\r\nContent-Length: {len (body)}\r\n\r\n'.encode () + body
        came = self.send (time, ends, False, numbers[0], numbers[1], PSH | ACK, text, there)
        numbers[0] += len (text)
        back = self.send (came + work, ends, True, numbers[1], numbers[0], PSH | ACK, answer, there)
        numbers[1] += len (answer)
        self.send (back + 10 * US, ends, False, numbers[0], numbers[1], ACK, there=there)
        return back, came, came + work

    def close (self, time, ends, numbers, there=None):
        came = self.send (time, ends, False, numbers[0], numbers[1], FIN | ACK, there=there)
        back = self.send (came + 15 * US, ends, True, numbers[1], numbers[0] + 1, FIN | ACK, there=there)
        self.send (back + 10 * US, ends, False, numbers[0] + 1, numbers[1] + 1, ACK, there=there)

    def write (self, folder):
        for name, seen in zip (('client.pcap', 'server.pcap'), self.seen):
            with open (folder / name, 'wb') as file:
                file.write (struct.pack ('<IHHIIII', 0xa1b23c4d, 2, 4, 0, 0, 65535, 1))
                for time, frame in sorted (seen, key=lambda one: one[0]):
                    file.write (struct.pack ('<IIII', time // 10**9, time % 10**9, len (frame), len (frame)) + frame)
