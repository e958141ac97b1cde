/**
 * How an endpoint is told whether a text is a query or a passage: by words in front of it, by `input_type`, or by
 * neither. Another style makes other vectors, so it is part of the model's name in the id of the embedder, from which
 * queries for vectors of an earlier style can still be made.
 */
import type { InputTypes } from '../../config/topics/embedding.ts'

export interface TextStyle {
  /** What is put in front of each text; empty for nothing. */
  readonly prefixes: { readonly query: string; readonly passage: string }
  /** Values of `input_type`; null where the endpoint is sent none. */
  readonly inputTypes: InputTypes | null
}

/** The style of a model that treats all texts alike. */
export const PLAIN: TextStyle = { prefixes: { query: '', passage: '' }, inputTypes: null }

/** Returns the name of a model with its style; the name alone if the model treats all texts alike. */
export function styledName(model: string, { prefixes, inputTypes }: TextStyle): string {
  const style = new URLSearchParams()
  if (prefixes.query !== '') style.set('query', prefixes.query)
  if (prefixes.passage !== '') style.set('passage', prefixes.passage)
  if (inputTypes !== null) style.set('types', `${inputTypes.query},${inputTypes.passage}`)
  return style.size === 0 ? model : `${model}?${style.toString()}`
}

/** Takes the name of `styledName` apart. A name that it does not make is a model without a style. */
export function readStyledName(name: string): { readonly model: string; readonly style: TextStyle } {
  const at = name.lastIndexOf('?')
  if (at > 0) {
    const model = name.slice(0, at)
    const read = new URLSearchParams(name.slice(at + 1))
    const types = read.get('types')?.split(',') ?? null
    const style: TextStyle = {
      prefixes: { query: read.get('query') ?? '', passage: read.get('passage') ?? '' },
      inputTypes: types === null ? null : { query: types[0], passage: types[1] },
    }
    if (styledName(model, style) === name) return { model, style }
  }
  return { model: name, style: PLAIN }
}
