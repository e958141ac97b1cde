/** Fields of a form with a name and a description; an empty description means none. */
export interface NamedFields {
  readonly name: string
  readonly description: string
}

interface NamedThing {
  readonly name: string
  readonly description?: string | null
}

/** Returns the fields of a stored thing for the form. @param stored null for a new thing */
export const namedFields = (stored: NamedThing | null): NamedFields => ({
  name: stored?.name ?? '',
  description: stored?.description ?? '',
})

/** Returns the fields as the service takes them, trimmed and with null for no description. */
export const sentFields = ({ name, description }: Partial<NamedFields>) => ({
  ...(name === undefined ? {} : { name: name.trim() }),
  ...(description === undefined ? {} : { description: description.trim() === '' ? null : description }),
})
