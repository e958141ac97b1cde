import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { inTier } from '../support/tier.ts'

const ROOT = join(import.meta.dirname, '../..')
// The packages of the console are installed where the console is built.
const isInstalled = existsSync(join(ROOT, 'console/node_modules/mdast-util-from-markdown'))
const WITHOUT_PACKAGES = isInstalled ? false : 'the packages of the console are not there'

interface DocNode {
  readonly type: string
  readonly attrs?: Record<string, unknown>
  readonly content?: readonly DocNode[]
  readonly marks?: readonly { readonly type: string }[]
  readonly text?: string
}
interface Visual {
  readonly parsed: { readonly blocks: readonly { readonly start: number; readonly end: number }[] }
  readonly nodes: readonly DocNode[]
}

describe('a text between its visual view and Markdown', { skip: WITHOUT_PACKAGES }, async () => {
  const { openVisual, writeVisual } = isInstalled
    ? ((await import(pathToFileURL(join(ROOT, 'console/src/markdown/visual.ts')).href)) as {
        openVisual: (text: string) => Visual
        writeVisual: (visual: Visual, opened: readonly DocNode[], now: readonly DocNode[]) => string
      })
    : (undefined as never)

  const typed = (text: string): DocNode => ({ type: 'paragraph', content: [{ type: 'text', text }] })
  const edited = (text: string, change: (nodes: readonly DocNode[]) => readonly DocNode[]): string => {
    const visual = openVisual(text)
    return writeVisual(visual, visual.nodes, change(visual.nodes))
  }

  test('every page of the documentation stays byte for byte when nothing is changed', () => {
    for (const [name, text] of pages())
      assert.equal(
        edited(text, (nodes) => nodes),
        text,
        name,
      )
  })

  test('a change of one block of a page changes no line of the others', () => {
    for (const [name, text] of pages()) {
      const { parsed, nodes } = openVisual(text)
      for (const i of inTier({ gate: [nodes.length >> 1], all: [0, nodes.length >> 1, nodes.length - 1] })) {
        if (nodes[i].type !== 'paragraph') continue
        const { start, end } = parsed.blocks[i]
        const expected = `${text.slice(0, start)}Neu.${text.slice(end)}`
        assert.equal(
          edited(text, (all) => all.with(i, typed('Neu.'))),
          expected,
          `${name}, block ${i}`,
        )
      }
    }
  })

  test('spelling of ones own survives beside a change: other bullets, rules, headings, wrapped lines', () => {
    const text = '* one\n* two\n\n***\n\nTitle\n=====\n\nwrapped\nline with __strong__ words\n\nlast\n'
    assert.equal(
      edited(text, (nodes) => nodes.with(nodes.length - 1, typed('changed'))),
      text.replace('last', 'changed'),
    )
    assert.equal(
      edited(text, (nodes) => nodes.toSpliced(2, 0, typed('new'))),
      text.replace('***\n', '***\n\nnew\n'),
    )
    assert.equal(
      edited(text, (nodes) => nodes.toSpliced(0, 1)),
      text.slice(text.indexOf('***')),
    )
  })

  test('what the visual view cannot hold is shown as it is written, and kept', () => {
    const text = '<details>\n<b>x</b>\n</details>\n\nNote[^1] and <kbd>Ctrl</kbd>\n\n[^1]: Foot\n\nplain\n'
    const { nodes } = openVisual(text)
    assert.deepEqual(
      nodes.map(({ type }) => type),
      ['source', 'source', 'source', 'paragraph'],
    )
    assert.equal(
      edited(text, (all) => all.with(3, typed('other'))),
      text.replace('plain', 'other'),
    )
  })

  test('two lists beside each other, one of them new, do not become one', () => {
    const bullets: DocNode = {
      type: 'bulletList',
      attrs: { tight: true },
      content: [{ type: 'listItem', content: [typed('new')] }],
    }
    const text = edited('- old\n', (nodes) => [...nodes, bullets])
    assert.equal(openVisual(text).nodes.length, 2, text)
  })

  test('any document that people can make is the same after it was written and read', () => {
    fc.assert(
      fc.property(documents(), (nodes) => {
        const empty = openVisual('')
        const text = writeVisual(empty, [], nodes)
        const read = openVisual(text)
        assert.deepEqual(read.nodes.map(sayings), nodes.map(sayings), text)
        assert.equal(writeVisual(read, read.nodes, read.nodes), text)
      }),
      { numRuns: inTier({ gate: 100, all: 400 }) },
    )
  })

  test('any text is kept byte for byte when nothing is changed, and survives a change of its end', () => {
    const pieces = [
      '# ',
      '* a\n',
      '- b\n\n',
      '1. ',
      '> ',
      '```\n',
      '|a|b|\n|-|-|\n',
      '**',
      '_',
      '~~',
      '`',
      '[x](y)',
      '[r]',
    ]
    const odd = fc.array(
      fc.oneof(
        fc.constantFrom(...pieces, '\n', '\n\n', '    ', '\t', '<b>', '\\', '&amp;', '[r]: z\n'),
        fc.string({ maxLength: 4 }),
      ),
      { maxLength: 14 },
    )
    fc.assert(
      fc.property(odd, (parts) => {
        const text = parts.join('')
        const visual = openVisual(text)
        if (visual.nodes.length === 0) return
        assert.equal(writeVisual(visual, visual.nodes, visual.nodes), text)
        const added = writeVisual(visual, visual.nodes, [...visual.nodes, typed('the end')])
        assert.ok(JSON.stringify(openVisual(added).nodes.at(-1)).includes('the end'), added)
      }),
      { numRuns: inTier({ gate: 150, all: 600 }), examples: [[['[r]: z\n', '<b>']], [['* a\n', '<b>', '\n', '# ']]] },
    )
  })
})

/** Pages longer than this are lists of one kind of table, and take longer than all others together. */
const PAGE_MAX_LENGTH = 32_000

function pages(): readonly (readonly [string, string])[] {
  return readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('reference'))
    .map((name) => [name, readFileSync(join(ROOT, 'docs', name), 'utf8')] as const)
    .filter(([, text]) => text.length <= PAGE_MAX_LENGTH)
}

/** Returns the content of a node, without attributes that hold nothing. */
function sayings(node: DocNode): unknown {
  return JSON.parse(JSON.stringify(node))
}

const word = fc.stringMatching(/^[a-zA-Z0-9äöü*_`~\\[\]<>#|!&.+-]{1,8}$/)
const sentence = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
const marks = fc.subarray(['link', 'bold', 'italic', 'strike'])

/** Arbitrary texts with marks. Neighbours differ in their marks, because the editor joins those that do not. */
const inline = fc.array(fc.tuple(sentence, marks), { minLength: 1, maxLength: 3 }).map((pieces) =>
  pieces
    .filter(([, own], i) => i === 0 || JSON.stringify(own) !== JSON.stringify(pieces[i - 1][1]))
    .flatMap(([text, own], i): DocNode[] => [
      ...(i === 0 ? [] : [{ type: 'text', text: ' ' }]),
      {
        type: 'text',
        text,
        ...(own.length === 0
          ? {}
          : {
              marks: own.map((type) =>
                type === 'link' ? { type, attrs: { href: 'https://x.example/a', title: null } } : { type },
              ),
            }),
      },
    ])
    .reduce<DocNode[]>((nodes, node) => {
      const before = nodes.at(-1)
      if (before !== undefined && before.marks === undefined && node.marks === undefined) {
        return [...nodes.slice(0, -1), { type: 'text', text: `${before.text}${node.text}` }]
      }
      return [...nodes, node]
    }, []),
)

const paragraph = inline.map((content): DocNode => ({ type: 'paragraph', content }))

function documents(): fc.Arbitrary<DocNode[]> {
  const heading = fc
    .tuple(fc.integer({ min: 1, max: 6 }), inline)
    .map(([level, content]): DocNode => ({ type: 'heading', attrs: { level }, content }))
  const code = fc
    .tuple(fc.constantFrom(null, 'ts', 'sql title=x'), sentence)
    .map(([language, text]): DocNode => ({ type: 'codeBlock', attrs: { language }, content: [{ type: 'text', text }] }))
  const items = fc.array(paragraph, { minLength: 1, maxLength: 3 })
  const bullets = fc.tuple(items, fc.boolean()).map(([all, tight]): DocNode => ({
    type: 'bulletList',
    // A list of one item has no place for a blank line.
    attrs: { tight: tight || all.length === 1 },
    content: all.map((item) => ({ type: 'listItem', content: [item] })),
  }))
  const numbers = fc.tuple(items, fc.integer({ min: 1, max: 20 })).map(([all, start]): DocNode => ({
    type: 'orderedList',
    attrs: { tight: true, start },
    content: all.map((item) => ({ type: 'listItem', content: [item] })),
  }))
  const tasks = fc.tuple(items, fc.boolean()).map(([all, checked]): DocNode => ({
    type: 'taskList',
    attrs: { tight: true },
    content: all.map((item) => ({ type: 'taskItem', attrs: { checked }, content: [item] })),
  }))
  const table = fc
    .tuple(fc.array(inline, { minLength: 4, maxLength: 4 }), fc.constantFrom(null, 'right'))
    .map(([cells, align]): DocNode => ({
      type: 'table',
      content: [cells.slice(0, 2), cells.slice(2)].map((row, i) => ({
        type: 'tableRow',
        content: row.map((content) => ({
          type: i === 0 ? 'tableHeader' : 'tableCell',
          attrs: { align },
          content: [{ type: 'paragraph', content }],
        })),
      })),
    }))
  const quote = fc
    .array(paragraph, { minLength: 1, maxLength: 2 })
    .map((content): DocNode => ({ type: 'blockquote', content }))
  return fc.array(fc.oneof(paragraph, heading, code, bullets, numbers, tasks, table, quote), {
    minLength: 1,
    maxLength: 5,
  })
}
