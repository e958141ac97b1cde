import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../parts/layout/button.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { useEditorWords } from './words.ts'

type Values = Readonly<Record<string, unknown>>

interface Pair {
  readonly name: string
  readonly text: string
  /** Whether the value is no text: it is written as JSON, and read as such. */
  readonly isJson: boolean
}

/** Edits names with values of any kind. Values that are no texts are shown as JSON, and keep their kind. */
export function FreeDetails(props: {
  readonly label: string
  readonly fault: string | null
  readonly values: Values
  readonly onChange: (values: Values) => void
}) {
  const { metadata: words } = useEditorWords()
  const [pairs, setPairs] = useState(() => pairsOf(props.values))
  const set = (next: readonly Pair[]): void => {
    setPairs(next)
    props.onChange(valuesOf(next))
  }
  return (
    <fieldset className="metadata-rows">
      <legend className="label">{props.label}</legend>
      <ul className="plain-list stack">
        {pairs.map((pair, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- names change while they are typed
          <li key={i} className="metadata-row">
            <div className="side-by-side metadata-row-fields">
              <TextField
                label={words.name}
                value={pair.name}
                onChange={(name) => set(pairs.with(i, { ...pair, name }))}
              />
              <TextField
                label={words.value}
                value={pair.text}
                onChange={(text) => set(pairs.with(i, { ...pair, text }))}
              />
            </div>
            <IconButton
              icon={Trash2}
              size="small"
              label={words.removeRow(i + 1)}
              onPress={() => set(pairs.toSpliced(i, 1))}
            />
          </li>
        ))}
      </ul>
      {props.fault === null ? null : (
        <p className="field-fault" role="alert">
          {props.fault}
        </p>
      )}
      <Button size="small" icon={Plus} onPress={() => setPairs([...pairs, { name: '', text: '', isJson: false }])}>
        {words.addRow}
      </Button>
    </fieldset>
  )
}

const pairsOf = (values: Values): readonly Pair[] =>
  Object.entries(values).map(([name, value]) => ({
    name,
    text: typeof value === 'string' ? value : JSON.stringify(value),
    isJson: typeof value !== 'string',
  }))

function valuesOf(pairs: readonly Pair[]): Values {
  return Object.fromEntries(
    pairs
      .filter(({ name }) => name.trim() !== '')
      .map(({ name, text, isJson }) => [name.trim(), isJson ? parsed(text) : text]),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
