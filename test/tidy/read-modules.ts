import { globSync, readFileSync } from 'node:fs'
import { type Node, type ParseResult, parseSync } from 'oxc-parser'
import type { Import, Module } from './floors.ts'

/** Matches the beginning of SQL statements: a method of Kysely, or its `sql` tag. */
const SQL = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(|\bsql(?:\.\w+|<[^`]*>)?`/

/** Returns the modules that match a pattern of paths, those of the program by default, without tests. */
export function readModules(pattern = 'src/**/*.ts'): Module[] {
  const paths = globSync(pattern).filter((path) => !/\.(?:test|d)\.ts$/.test(path))
  return paths.map((path) => moduleOf(path, readFileSync(path, 'utf8')))
}

export function moduleOf(path: string, text: string): Module {
  const parsed = parseSync(path, text)
  return { path, imports: importsIn(parsed, text), passesOn: passedOnBy(parsed), hasSql: SQL.test(text) }
}

export function importsOf(path: string, text: string): Import[] {
  return importsIn(parseSync(path, text), text)
}

function importsIn({ module }: ParseResult, text: string): Import[] {
  const literal = (span: { start: number; end: number }): string => text.slice(span.start + 1, span.end - 1)
  return [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      from: moduleRequest.value,
      isType: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest ? [{ from: moduleRequest.value, isType }] : [])),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) => ({ from: literal(moduleRequest), isType: false })),
  ]
}

/**
 * Returns the modules whose exports a module exports again, as they are: by `export … from`, by an export of what it
 * imports, or under another name.
 */
function passedOnBy({ module, program }: ParseResult): string[] {
  const origins = new Map(
    module.staticImports.flatMap(({ moduleRequest, entries }) =>
      entries.map(({ localName }) => [localName.value, moduleRequest.value] as const),
    ),
  )
  const froms = program.body.flatMap((statement): (string | undefined)[] => {
    if (statement.type === 'ExportAllDeclaration') return [statement.source.value]
    if (statement.type === 'ExportDefaultDeclaration') return [origins.get(rootOf(statement.declaration))]
    if (statement.type !== 'ExportNamedDeclaration') return []
    const { source, specifiers, declaration } = statement
    if (source !== null) return [source.value]
    return [...specifiers.map(({ local }) => local), ...copiesIn(declaration)].map((node) => origins.get(rootOf(node)))
  })
  return [...new Set(froms.filter((from) => from !== undefined))]
}

/** Returns the nodes to which a declaration gives another name. */
function copiesIn(declaration: Node | null): Node[] {
  if (declaration?.type === 'TSTypeAliasDeclaration') return [declaration.typeAnnotation]
  if (declaration?.type !== 'VariableDeclaration') return []
  return declaration.declarations.flatMap(({ init }) => init ?? [])
}

/**
 * Returns the name that a reference such as `store.tables.KEPT` begins with; empty for what is more than a reference.
 */
function rootOf(node: Node): string {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'MemberExpression') return rootOf(node.object)
  if (node.type === 'TSTypeReference') return rootOf(node.typeName)
  return node.type === 'TSQualifiedName' ? rootOf(node.left) : ''
}
