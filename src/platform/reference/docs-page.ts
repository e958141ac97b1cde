import { createHash } from 'node:crypto'
import type { Schema } from '../contract/check-faults.ts'
import { DOCS_STYLE } from './docs-style.ts'
import type { OpenApiDocument } from './openapi.ts'
import { INTRODUCTION } from './docs-introduction.ts'
import {
  accessWords,
  answerParts,
  answersOf,
  ERROR_MEANINGS,
  headerMeanings,
  operationsByTag,
  type Listed,
} from './operations.ts'
import { fieldsOf, limitWords, typeWords } from '../contract/schema-words.ts'

/** The one thing the page may load is its own style sheet, named by its hash; nothing runs in it. */
export const DOCS_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(DOCS_STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The API reference as one page of HTML, without scripts and without anything from elsewhere. */
export function renderDocsPage(document: OpenApiDocument): string {
  const tags = operationsByTag(document)
  const contracts = Object.entries(document.components.schemas)
  const title = escape(document.info.title)
  const body = [
    '<a class="skip" href="#content">Skip to content</a>',
    `<nav aria-label="Contents"><h2>${title}</h2>${navigation(tags)}</nav>`,
    `<main id="content"><h1>${title} API</h1><p>${escape(document.info.description)}</p>`,
    '<p>For programs: <a href="/openapi.json">openapi.json</a>.</p>',
    ...INTRODUCTION.map(({ title: part, paragraphs }) => {
      return `<h2>${escape(part)}</h2>${paragraphs.map((each) => `<p>${inline(each)}</p>`).join('')}`
    }),
    '<h2>Headers and errors</h2><p>Every error has the body of the contract <a href="#contract-Error">Error</a>.</p>',
    table('Headers of answers', ['Header', 'Meaning'], rowsOf(headerMeanings(document))),
    table('Errors', ['Status', 'Meaning'], rowsOf(ERROR_MEANINGS)),
    ...[...tags].map(([tag, listed]) => section(tag, listed)),
    `<section aria-labelledby="contracts"><h2 id="contracts">Contracts</h2>${contracts.map(contract).join('')}</section>`,
    '</main>',
  ]
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">',
    `<title>${title} API</title><style>${DOCS_STYLE}</style></head><body>${body.join('')}</body></html>`,
  ].join('')
}

const anchor = (tag: string) => `tag-${encodeURIComponent(tag.replaceAll(' ', '-'))}`
const link = (name: string) => `<a href="#contract-${name}">${escape(name)}</a>`

function navigation(tags: Map<string, Listed[]>): string {
  const groups = [...tags].map(([tag, listed]) => {
    const items = listed.map(
      ({ operation }) => `<li><a href="#${escape(operation.operationId)}">${escape(operation.summary)}</a></li>`,
    )
    return `<li><a href="#${anchor(tag)}">${escape(tag)}</a><ul>${items.join('')}</ul></li>`
  })
  return `<ul>${groups.join('')}<li><a href="#contracts">Contracts</a></li></ul>`
}

function section(tag: string, listed: readonly Listed[]): string {
  const articles = listed.map(article).join('')
  return `<section aria-labelledby="${anchor(tag)}"><h2 id="${anchor(tag)}">${escape(tag)}</h2>${articles}</section>`
}

function article({ method, path, operation }: Listed): string {
  const id = escape(operation.operationId)
  const parts = [
    `<article aria-labelledby="${id}"><h3 id="${id}">${escape(operation.summary)}</h3>`,
    `<p class="call"><b class="${method.toLowerCase()}">${method}</b> <code>${escape(path)}</code></p>`,
    `<p class="scope">Scope: ${escape(accessWords(operation))}</p>`,
  ]
  if (operation.deprecated === true) parts.push('<p><strong>Deprecated.</strong></p>')
  if (operation.description !== undefined) parts.push(`<p>${inline(operation.description)}</p>`)
  const parameters = (operation.parameters ?? []).map((each) => [
    `<code>${escape(each.name)}</code> <small>${each.in}</small>`,
    typeWords(each.schema, link),
    each.required ? 'yes' : 'no',
    notes(each.schema, each.description),
  ])
  if (parameters.length > 0) parts.push(table('Parameters', ['Name', 'Type', 'Required', 'Notes'], parameters))
  for (const [type, { schema }] of Object.entries(operation.requestBody?.content ?? {})) {
    parts.push(`<p>Body <code>${escape(type)}</code>: ${typeWords(schema, link)}</p>`)
    if (schema.properties !== undefined) parts.push(fields('Body', schema))
  }
  const { own, errors } = answersOf(operation)
  const answers = own.map(([status, response]) => {
    const { description, type, schema, headers } = answerParts(response)
    const form = type === null ? '' : `, as <code>${escape(type)}</code>`
    const names = headers.map((name) => `<code>${escape(name)}</code>`).join(', ')
    const words = schema === undefined ? '' : `: ${typeWords(schema, link)}${form}`
    return [status, `${escape(description)}${words}${names === '' ? '' : `; headers ${names}`}`]
  })
  parts.push(table('Answers', ['Status', 'Answer'], answers), `<p>Errors: ${errors.join(', ')}</p></article>`)
  return parts.join('')
}

function contract([name, schema]: [string, Schema]): string {
  const description = typeof schema.description === 'string' ? `<p>${inline(schema.description)}</p>` : ''
  const content = schema.properties === undefined ? `<p>${typeWords(schema, link)}</p>` : fields(name, schema)
  return `<article><h3 id="contract-${escape(name)}">${escape(name)}</h3>${description}${content}</article>`
}

function fields(caption: string, schema: Schema): string {
  const rows = fieldsOf(schema).map((field) => [
    `<code>${escape(field.name)}</code>`,
    typeWords(field.schema, link),
    field.isRequired ? 'yes' : 'no',
    notes(field.schema, field.schema.description),
  ])
  return table(caption, ['Field', 'Type', 'Required', 'Notes'], rows)
}

function notes(schema: Schema, description: unknown): string {
  const words = typeof description === 'string' ? [inline(description)] : []
  return [...words, ...limitWords(schema).map(escape)].join('; ')
}

/** The little Markdown that descriptions use, as HTML; a link becomes its text, for it leads to a file. */
function inline(text: string): string {
  return escape(text)
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
}

const rowsOf = (meanings: readonly (readonly [string, string])[]) =>
  meanings.map(([name, meaning]) => [escape(name), inline(meaning)])

/** Cells hold HTML. */
function table(caption: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const heads = head.map((word) => `<th scope="col">${word}</th>`).join('')
  const lines = rows.map(
    ([first, ...rest]) => `<tr><th scope="row">${first}</th>${rest.map((each) => `<td>${each}</td>`).join('')}</tr>`,
  )
  const inner = `<caption>${escape(caption)}</caption><thead><tr>${heads}</tr></thead><tbody>${lines.join('')}</tbody>`
  return `<div class="table" role="region" aria-label="${escape(caption)}" tabindex="0"><table>${inner}</table></div>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character])
}
