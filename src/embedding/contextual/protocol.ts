import type { ThreadProtocol } from '../../platform/threads/thread-port.ts'
import type { ModelForm } from './model-form.ts'
import type { ReadingCall } from './reading-turns.ts'

/** Start data of the thread. */
export interface ReaderData {
  /** URL of the folder with the model that ships with the service. */
  readonly folder: string
  /** Another model, which is read in its place. */
  readonly form?: ModelForm
  /** URL of the module from which the runtime is resolved. */
  readonly runtimeFrom: string
  /** Most threads of a run of the model. */
  readonly threads: number
}

type ReaderOrder =
  | (ReadingCall & { readonly kind: 'read' })
  /** Says that nothing waits for a call any more. */
  | { readonly kind: 'drop'; readonly call: number }

export type ReaderReport =
  /** The vectors of a call, one behind the other. */
  | { readonly kind: 'read'; readonly call: number; readonly vectors: Float32Array; readonly tokens: number }
  /** Says that the texts of a call cannot be read. */
  | { readonly kind: 'failed'; readonly call: number; readonly message: string; readonly isNonsense: boolean }
  /** Says that the model cannot be loaded. No call of before is answered. */
  | { readonly kind: 'unloadable'; readonly reason: string }

export interface ReaderThreadProtocol extends ThreadProtocol {
  readonly data: ReaderData
  readonly order: ReaderOrder
  readonly report: ReaderReport
}
