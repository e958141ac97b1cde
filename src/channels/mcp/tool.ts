import type { TObject, TProperties } from 'typebox'
import type { Caller } from '../../platform/access/caller.ts'
import type { Scope } from '../../platform/access/scopes.ts'
import { joinFaults } from '../../platform/contract/all-faults.ts'
import { compileCheck } from '../../platform/contract/check.ts'
import { type Static, Type } from '../../platform/contract/schema.ts'
import { Fault } from '../../platform/faults.ts'
import { plainSchema, type JsonSchema } from './plain-schema.ts'

/** What a tool answers: the same twice, for programs and for reading. */
export interface ToolAnswer {
  readonly structured: Record<string, unknown>
  readonly text: string
}

interface ToolHints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  /** Whether it reaches beyond this service. */
  readonly openWorldHint: boolean
}

/** A tool as the channel serves it. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Every one is needed, as on the route that does the same. */
  readonly scopes: readonly Scope[]
  readonly annotations: ToolHints
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  readonly fields: readonly string[]
  /** @throws Fault for input that does not fit, and whatever the rules refuse */
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
  /** What else is wrong with input that does not fit; nobody has checked its fields. */
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
/** An update writes over what was there; the versions before it are kept. */
export const CHANGES = hints(false, true, true)
/** Hints of a tool that takes something away; a second call changes nothing more. */
export const DELETES = hints(false, true, true)

/** Makes a tool from the fields of a route's contract. A field that it does not have is refused, not ignored. */
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
