import type { TObject, TProperties } from 'typebox'
import type { Caller } from '../../platform/access/caller.ts'
import type { Scope } from '../../platform/access/scopes.ts'
import { joinFaults } from '../../platform/contract/all-faults.ts'
import { compileCheck } from '../../platform/contract/check.ts'
import { type Static, Type } from '../../platform/contract/schema.ts'
import { Fault } from '../../platform/faults.ts'
import { plainSchema, type JsonSchema } from './plain-schema.ts'

/** The answer of a tool, twice: structured for programs, as text for reading. */
export interface ToolAnswer {
  readonly structured: Record<string, unknown>
  readonly text: string
}

interface ToolHints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  /** Whether the tool reaches beyond this service. */
  readonly openWorldHint: boolean
}

/** A tool as MCP lists and calls it. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The caller needs all of these scopes, as on the route that does the same. */
  readonly scopes: readonly Scope[]
  readonly annotations: ToolHints
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  readonly fields: readonly string[]
  /** @throws Fault for input that breaks the schema, and the faults of the rules */
  readonly call: (caller: Caller, input: Record<string, unknown>) => Promise<ToolAnswer>
}

/** Whether the caller's scopes allow the tool. */
export function mayCall(caller: Caller, { scopes }: Tool): boolean {
  return scopes.every((scope) => caller.scopes.has(scope))
}

interface ToolDeclaration<T extends TProperties> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly scopes: readonly Scope[]
  readonly hints: ToolHints
  readonly input: T
  readonly output: TProperties
  readonly run: (caller: Caller, input: Static<TObject<T>>) => Promise<ToolAnswer>
  /** Finds further faults in input that breaks the schema. The fields of `given` are unchecked. */
  readonly furtherFaults?: (caller: Caller, given: Record<string, unknown>) => Promise<readonly Fault[]>
}

const hints = (readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean): ToolHints => ({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
  openWorldHint: false,
})

/** Hints of a tool that changes nothing. */
export const READS = hints(true, false, true)
/** Hints of a tool that adds something with each call. */
export const ADDS = hints(false, false, false)
/** Hints of a tool that overwrites something. Earlier versions are kept. */
export const CHANGES = hints(false, true, true)
/** Hints of a tool that deletes something. A second call changes nothing. */
export const DELETES = hints(false, true, true)

/** Makes a tool from the fields of a route's contract. The tool refuses unknown fields. */
export function defineTool<const T extends TProperties>(declared: ToolDeclaration<T>): Tool {
  const { name, title, description, scopes, run } = declared
  const input = Type.Object(declared.input, { additionalProperties: false })
  const check = compileCheck(input, ['body'])
  return {
    name,
    title,
    description,
    scopes,
    annotations: declared.hints,
    inputSchema: plainSchema(input),
    outputSchema: plainSchema(Type.Object(declared.output)),
    fields: Object.keys(declared.input),
    call: async (caller, given) => {
      const faults = check(given)
      if (faults !== null) {
        const further = await declared.furtherFaults?.(caller, given)
        throw joinFaults(new Fault('invalid', faults), further ?? [], input)
      }
      return run(caller, given as Static<TObject<T>>)
    },
  }
}
