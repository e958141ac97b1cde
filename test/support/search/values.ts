/** Changes of values for tests of the engine. */
import type {
  DocumentValues,
  IndexChange,
  IndexDocument,
  IndexSource,
  IndexVersion,
  ValueChange,
} from '../../../src/search/engine.ts'
import { idOfChange } from '../../../src/search/indexing/change-ids.ts'
import { signatureOf } from '../../../src/search/indexing/signature.ts'

/** Changes in batches, as a source yields them. */
export type Batches = AsyncIterable<readonly IndexChange[]> | Iterable<readonly IndexChange[]>

/** Returns the change that stores a document, with the hash that `valueChange` compares. */
export function putOf(seq: number, put: IndexDocument): IndexChange & { readonly put: IndexDocument } {
  return { seq, put, textSeq: seq, signature: signatureOfValues(put) }
}

/** Returns the change that gives a document the values of another one. @param textSeq change that the text is from */
export function valueChange(seq: number, id: string, values: DocumentValues, textSeq: number): ValueChange {
  const { changedAt, numbers, group, keys, properties } = values
  const rest = () => ({ group, keys, properties })
  return { seq, id, textSeq, textBytes: null, changedAt, numbers, signature: signatureOfValues(values), rest }
}

/** Returns a document with the values of another one. */
export function withValues(document: IndexDocument, values: DocumentValues): IndexDocument {
  const { changedAt, numbers, group, keys, properties } = values
  return { ...document, changedAt, numbers, group, keys, properties }
}

function signatureOfValues({ group, keys, properties = {} }: DocumentValues): number {
  return signatureOf([JSON.stringify([group, keys, properties])])
}

/** Returns the change of the values of a document whose whole change is given. */
export function valueChangeOf(change: IndexChange): ValueChange {
  const { seq } = change
  if ('put' in change) return valueChange(seq, change.put.id, change.put, change.textSeq ?? seq)
  if ('remove' in change) return change
  const rest = () => {
    throw new Error('the row cannot be read')
  }
  const { unreadable: id } = change
  return { seq, id, textSeq: seq, textBytes: null, changedAt: 0, numbers: {}, signature: NaN, rest }
}

/**
 * Makes the values of a source from its whole documents. Each reading of values or documents reads `changes`.
 * @param changes yields every change of a tenant; it may ignore `after` and need not leave out replaced changes
 */
export function valuesOf(changes: (version: IndexVersion, after: number) => Batches): IndexSource['values'] {
  const newest = async (version: IndexVersion): Promise<Map<string, IndexChange>> => {
    const batches = await Array.fromAsync<readonly IndexChange[]>(changes(version, 0))
    return new Map(batches.flat().map((change) => [idOfChange(change), change]))
  }
  return {
    mayLag: false,
    async *changes(version, after) {
      for await (const batch of changes(version, after)) {
        const later = batch.filter(({ seq }) => seq > after)
        if (later.length > 0) yield later.map(valueChangeOf)
      }
    },
    async documents(version, ids, last) {
      const all = await newest(version)
      return ids.flatMap((id) => {
        const change = all.get(id)
        return change === undefined || 'remove' in change || change.seq > last ? [] : [change]
      })
    },
    async count(version, max) {
      const all = await newest(version)
      const puts = [...all.values()].filter((change) => 'put' in change)
      return Math.min(max, puts.length)
    },
  }
}
