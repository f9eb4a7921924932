/* Writes the single events of a large generated trace: payload, stack, processor.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-writer.h"

G_BEGIN_DECLS

/* Output of the generator, and time of the next record. */
typedef struct
{
  NsEtlWriter *writer;
  GRand *rand;
  GByteArray *payload;
  guint64 raw; /* raw time of the next record */
  guint n_cpus;
  gboolean is_dense; /* omits the stacks */
  guint64 n_records;
} BigSink;

/* A connection with all its layers. */
typedef struct
{
  guint64 due; /* raw time of its next step */
  const char *next;
  guint number; /* 1-based, unique */
  guint32 pid;
  guint32 tid;
  guint cpu;
} BigLife;

void big_step (BigSink *self, const BigLife *life, char step);
void big_rundown (BigSink *self, guint n_processes, guint n_threads);
void big_background (BigSink *self, guint32 pid, guint32 tid);

/* Scripts for connections of WebIO, of WinINet, of plain sockets and of the system, one letter per
 * step. */
extern const char *const big_scripts[];
extern const guint n_big_scripts;

/* The same connections with the minimum number of steps that make a row. */
extern const char *const big_dense_scripts[];
extern const guint n_big_dense_scripts;

#define BIG_FIRST_PID 1000
#define BIG_N_THREADS 16

static inline guint32
big_pid (guint process)
{
  return BIG_FIRST_PID + process * 4;
}

static inline guint32
big_tid (guint process, guint thread)
{
  return 0x4000 + process * 64 + thread * 4;
}

G_END_DECLS
