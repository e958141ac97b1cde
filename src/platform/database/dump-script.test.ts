import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import fc from 'fast-check'
import { partsOf, rowsOf } from './dump-script.ts'

const SCRIPT = String.raw`--
-- PostgreSQL database dump
--

\restrict aBc

SET client_encoding = 'UTF8';
CREATE TABLE public.notes (
    text text
);

COPY public.notes (text) FROM stdin;
one
a backslash \\.
\N
\.


COPY public.empty (id) FROM stdin;
\.

CREATE INDEX notes_text ON public.notes USING btree (text);
\unrestrict aBc
`

async function read(chunks: readonly string[]): Promise<string[]> {
  const parts: string[] = []
  for await (const part of partsOf(
    Readable.from(
      chunks.map((chunk) => Buffer.from(chunk)),
      { objectMode: true },
    ),
  )) {
    if ('statements' in part) {
      parts.push(part.statements.replaceAll(/^(?:--.*)?\n/gm, ''))
      continue
    }
    let rows = ''
    for await (const chunk of part.rows) rows += Buffer.from(chunk).toString()
    parts.push(part.copy, rows)
  }
  return parts
}

const PARTS = [
  "SET client_encoding = 'UTF8';\nCREATE TABLE public.notes (\n    text text\n);\n",
  'COPY public.notes (text) FROM stdin;',
  String.raw`one
a backslash \\.
\N
`,
  '',
  'COPY public.empty (id) FROM stdin;',
  '',
  'CREATE INDEX notes_text ON public.notes USING btree (text);\n',
]

test('a script falls into the same statements and rows however it arrives', async () => {
  assert.deepEqual((await read([SCRIPT])).filter(Boolean), PARTS.filter(Boolean))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 20, maxLength: 200 }), async (lengths) => {
      const chunks: string[] = []
      let at = 0
      for (const length of lengths) chunks.push(SCRIPT.slice(at, (at += length)))
      assert.deepEqual((await read([...chunks, SCRIPT.slice(at)])).filter(Boolean), PARTS.filter(Boolean))
    }),
  )
})

test('a script that ends within the rows of a table is refused', async () => {
  await assert.rejects(read([SCRIPT.slice(0, SCRIPT.indexOf('a backslash'))]), /ends within the rows/)
})

test('the rows of a table are read with their escapes, as text or null', async () => {
  const script = String.raw`COPY public."notes" (tenant_id, "text", bytes) FROM stdin;
t	a\tb\nc\\d	\\x00ff
t	\N	
\.
`
  const halves = [script.slice(0, 70), script.slice(70)].map((half) => Buffer.from(half))
  const tables: unknown[] = []
  for await (const part of partsOf(Readable.from(halves, { objectMode: true }))) {
    if ('statements' in part) continue
    const { table, columns, rows } = rowsOf(part)
    tables.push(table, columns)
    for await (const values of rows) tables.push(values)
  }
  assert.deepEqual(tables, ['notes', ['tenant_id', 'text', 'bytes'], ['t', 'a\tb\nc\\d', '\\x00ff'], ['t', null, '']])
})
