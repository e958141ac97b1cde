import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments, stringify } from 'yaml'

/**
 * Renders the Helm chart with the part of Go's templates (pkg.go.dev/text/template) and of Helm's functions that the
 * chart uses. What it does not know it refuses, so that a template cannot come to use more without a test that sees it.
 */

type Value = unknown
type Scope = Readonly<Record<string, Value>>

/** A part of a template: text, an action such as `{{ .Values.x | quote }}`, or a block from its keyword to its `end`. */
type Node =
  | { readonly text: string }
  | { readonly pipeline: string }
  | { readonly block: 'if' | 'with' | 'range'; readonly head: string; readonly body: Node[]; readonly orElse: Node[] }

/** An object of Kubernetes. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: Readonly<Record<string, unknown>>
}

/** Returns the values of a chart, with some in place of its own. Maps are merged, as Helm does it. */
export function valuesOf(folder: string, changes: object = {}): Scope {
  return merged(parse(readFileSync(join(folder, 'values.yaml'), 'utf8')), changes) as Scope
}

/** Returns the objects that a chart makes for a release, from all templates in the order of their names. */
export function renderChart(folder: string, values: Scope, release = 'knowledge'): Manifest[] {
  const chart = parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8')) as Record<string, unknown>
  // Helm spells the fields of the chart with capitals.
  const facts = Object.fromEntries(Object.entries(chart).map(([name, value]) => [capitalised(name), value]))
  const root: Scope = { Values: values, Chart: facts, Release: { Name: release, Namespace: 'default' } }
  const templates = join(folder, 'templates')
  return readdirSync(templates)
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .flatMap((file) => manifestsIn(renderTemplate(readFileSync(join(templates, file), 'utf8'), root)))
}

/** Returns the objects of a file of manifests. @throws YAMLError for a key that is there twice, and other faults */
export function manifestsIn(text: string): Manifest[] {
  const documents = parseAllDocuments(text, { strict: true, uniqueKeys: true })
  return [...documents].flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0]
    const manifest = document.toJS() as Manifest | null
    return manifest === null ? [] : [manifest]
  })
}

/** Renders a template. @throws Error for what it does not know */
function renderTemplate(text: string, root: Scope): string {
  return rendered(parsed(text), root, { $: root })
}

function merged(base: Value, change: Value): Value {
  if (!isMap(base) || !isMap(change)) return change === undefined ? base : change
  const names = new Set([...Object.keys(base), ...Object.keys(change)])
  return Object.fromEntries([...names].map((name) => [name, merged(base[name], change[name])]))
}

function isMap(value: Value): value is Record<string, Value> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Block = Extract<Node, { block: string }>

/** A list of nodes that is still being read, the block that it belongs to, and the list around it. */
interface OpenList {
  readonly block: Block | null
  into: Node[]
  readonly outer: OpenList | null
}

function parsed(text: string): Node[] {
  const root: OpenList = { block: null, into: [], outer: null }
  let open = root
  let at = 0
  let isTrimmed = false
  for (const match of text.matchAll(/\{\{(-?)\s*(.*?)\s*(-?)\}\}/gs)) {
    const [all, trimsBefore, action, trimsAfter] = match
    const lead = text.slice(at, match.index)
    const left = isTrimmed ? lead.trimStart() : lead
    open.into.push({ text: trimsBefore === '' ? left : left.trimEnd() })
    at = match.index + all.length
    isTrimmed = trimsAfter !== ''
    open = opened(open, action)
  }
  if (open !== root) throw new Error('a block of the template has no end')
  root.into.push({ text: isTrimmed ? text.slice(at).trimStart() : text.slice(at) })
  return root.into
}

/** Reads an action. @returns the list that the next node belongs to */
function opened(open: OpenList, action: string): OpenList {
  const [, word, head] = /^(if|with|range|else|end)\b\s*(.*)$/s.exec(action) ?? []
  if (word === undefined) open.into.push({ pipeline: action })
  else if (word === 'if' || word === 'with' || word === 'range') {
    const block: Block = { block: word, head, body: [], orElse: [] }
    open.into.push(block)
    return { block, into: block.body, outer: open }
  } else if (open.block === null || open.outer === null) throw new Error(`{{ ${action} }} ends no block`)
  else if (word === 'end') return open.outer
  else open.into = open.block.orElse
  return open
}

function rendered(nodes: readonly Node[], dot: Value, variables: Scope): string {
  return nodes.map((node) => renderedNode(node, dot, variables)).join('')
}

function renderedNode(node: Node, dot: Value, variables: Scope): string {
  if ('text' in node) return node.text
  if ('pipeline' in node) {
    const value = evaluated(node.pipeline, dot, variables)
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw new Error(`{{ ${node.pipeline} }} has no value that could be written`)
    return String(value)
  }
  const { block, head, body, orElse } = node
  if (block === 'range') return renderedRange(node, dot, variables)
  const value = evaluated(head, dot, variables)
  if (!isTrue(value)) return rendered(orElse, dot, variables)
  return rendered(body, block === 'with' ? value : dot, variables)
}

function renderedRange({ head, body }: Extract<Node, { block: string }>, dot: Value, variables: Scope): string {
  const [, names, pipeline] = /^((?:\$\w+)(?:, \$\w+)?) := (.+)$/s.exec(head) ?? []
  if (names === undefined) throw new Error(`range ${head} names no variables`)
  const over = evaluated(pipeline, dot, variables)
  // Go walks along maps in the order of their keys.
  const items = Array.isArray(over)
    ? over.map((value, i) => [i, value] as const)
    : Object.entries(over as object).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const [first, second] = names.split(', ')
  return items
    .map(([key, value]) => {
      const own = second === undefined ? { [first]: value } : { [first]: key, [second]: value }
      return rendered(body, value, { ...variables, ...own })
    })
    .join('')
}

/** Functions of Helm by their names, with the value of the pipeline as the last argument. */
const FUNCTIONS: Readonly<Record<string, (...args: never[]) => Value>> = {
  quote: (value: Value) => JSON.stringify(String(value)),
  default: (other: Value, value: Value) => (isTrue(value) ? value : other),
  toYaml: (value: Value) => stringify(value).trimEnd(),
  nindent: (spaces: number, text: string) => `\n${text.replaceAll(/^(?=.)/gm, ' '.repeat(spaces))}`,
  int: (value: Value) => Math.trunc(Number(value)),
  add: (a: number, b: number) => a + b,
  gt: (a: number, b: number) => a > b,
  until: (count: number) => Array.from({ length: count }, (_, i) => i),
  list: (...items: Value[]) => items,
}

function evaluated(pipeline: string, dot: Value, variables: Scope): Value {
  let value: { readonly of: Value } | null = null
  for (const command of pipeline.split(/\s+\|\s+/)) {
    const words = wordsOf(command)
    const args = words.slice(1).map((word) => operand(word, dot, variables))
    const name = words[0]
    if (!Object.hasOwn(FUNCTIONS, name)) {
      if (words.length > 1 || value !== null) throw new Error(`no function is called ${name}`)
      value = { of: operand(name, dot, variables) }
    } else value = { of: FUNCTIONS[name](...([...args, ...(value === null ? [] : [value.of])] as never[])) }
  }
  return value!.of
}

/** Returns the words of a command; one in parentheses is a command of its own. */
function wordsOf(command: string): string[] {
  const words = command.match(/"[^"]*"|\([^()]*\)|[^\s()"]+/g) ?? []
  const rest = words.reduce((left, word) => left.replace(word, ''), command)
  if (words.length === 0 || rest.trim() !== '') throw new Error(`{{ ${command} }} cannot be read`)
  return words
}

function operand(word: string, dot: Value, variables: Scope): Value {
  if (word.startsWith('(')) return evaluated(word.slice(1, -1), dot, variables)
  if (/^"[^"]*"$/.test(word)) return word.slice(1, -1)
  if (/^\d+$/.test(word)) return Number(word)
  const [, variable, path] = /^(\$\w*)?((?:\.\w+)*|\.)$/.exec(word) ?? []
  if (path === undefined) throw new Error(`${word} is no operand`)
  let value = variable === undefined ? dot : variables[variable]
  for (const name of path.split('.').filter((each) => each !== '')) value = (value as Scope | null | undefined)?.[name]
  return value
}

/** Tells what a template takes for true: neither 0, false and nothing, nor an empty text, list or map. */
function isTrue(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0
  return isMap(value) ? Object.keys(value).length > 0 : Boolean(value)
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
