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

/** Returns an attribute that is a text; empty when the node has no such attribute. */
export function textAttribute({ attrs }: Pick<DocNode, 'attrs'>, name: string): string {
  const value = attrs?.[name]
  return typeof value === 'string' ? value : ''
}

/**
 * Type of the block that shows the source of Markdown that the visual editor cannot hold, such as HTML and footnotes.
 */
export const SOURCE = 'source'
