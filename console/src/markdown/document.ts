/** A mark on a text, as the visual editor stores it. */
export interface Mark {
  readonly type: string
  readonly attrs?: Readonly<Record<string, unknown>>
}

/** A node of the visual editor's document, as JSON (ProseMirror). */
export interface DocNode {
  readonly type: string
  readonly attrs?: Readonly<Record<string, unknown>>
  readonly content?: readonly DocNode[]
  readonly marks?: readonly Mark[]
  readonly text?: string
}

/** An attribute that is a text; empty without it. */
export function textAttribute({ attrs }: Pick<DocNode, 'attrs'>, name: string): string {
  const value = attrs?.[name]
  return typeof value === 'string' ? value : ''
}

/** The block that shows the source of what the visual editor cannot hold, such as HTML and footnotes. */
export const SOURCE = 'source'
