/** Changes of values for tests of the engine. */
import type { DocumentValues, IndexChange, IndexDocument, ValueChange } from '../../../src/search/engine.ts'
import { signatureOf } from '../../../src/search/indexing/signature.ts'

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
