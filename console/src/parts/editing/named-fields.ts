/** What a form of a name and a description has; an empty description is none. */
export interface NamedFields {
  readonly name: string
  readonly description: string
}

interface Stored {
  readonly name: string
  readonly description?: string | null
}

/** @param stored null for a new thing */
export const namedFields = (stored: Stored | null): NamedFields => ({
  name: stored?.name ?? '',
  description: stored?.description ?? '',
})

/** As the service takes them. */
export const sentFields = ({ name, description }: Partial<NamedFields>) => ({
  ...(name === undefined ? {} : { name: name.trim() }),
  ...(description === undefined ? {} : { description: description.trim() === '' ? null : description }),
})
