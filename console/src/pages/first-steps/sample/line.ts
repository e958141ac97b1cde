/** Beginning of the source references of sample entries, by which they are found again. */
export const SAMPLE_REFERENCE = 'sample-content/'

/** A sample entry as the bulk import takes it. */
export interface SampleLine {
  readonly title: string
  readonly content: string
  readonly summary: string
  readonly category: string
  readonly language: string
  readonly visibility: 'internal'
  readonly tags: readonly string[]
  readonly source_reference: string
}

type Text = Pick<SampleLine, 'title' | 'summary' | 'tags' | 'content'>

/** Makes the lines of a sample. @param category category of all entries, which is deleted with them */
export const linesOf = (language: string, category: string, texts: readonly Text[]): readonly SampleLine[] =>
  texts.map((text, i) => ({
    ...text,
    category,
    language,
    visibility: 'internal',
    source_reference: `${SAMPLE_REFERENCE}${language}/${i + 1}`,
  }))
