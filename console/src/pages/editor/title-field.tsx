import { useId } from 'react'
import { useEditorWords } from './words.ts'

/** Shows the title, as large as readers see it. The field grows with its lines. */
export function TitleField(props: {
  readonly value: string
  readonly fault: string | null
  readonly onChange: (title: string) => void
}) {
  const words = useEditorWords()
  const id = useId()
  const { value, fault } = props
  return (
    <div className="title-field">
      <label htmlFor={id} className="label">
        {words.title}
      </label>
      <textarea
        id={id}
        rows={1}
        maxLength={500}
        placeholder={words.untitled}
        value={value}
        aria-invalid={fault === null ? undefined : true}
        aria-describedby={fault === null ? undefined : `${id}-fault`}
        // A title is one line, so Enter adds none.
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault()
        }}
        onChange={({ target }) => props.onChange(target.value.replaceAll('\n', ' '))}
      />
      {fault === null ? null : (
        <p className="field-fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  )
}
