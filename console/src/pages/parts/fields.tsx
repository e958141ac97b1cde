import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { Button } from '../../parts/layout/button.tsx'
import { Checkbox, CheckboxGroup, RadioGroup, Switch } from '../../parts/fields/checkbox.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TagInput } from '../../parts/fields/tag-input.tsx'
import { TextArea, TextField } from '../../parts/fields/text-field.tsx'
import { usePartsWords } from './words.ts'

type Level = 'low' | 'high'

const REFUSED = new ApiFault(new Response(null, { status: 422 }), [
  { loc: ['body', 'name'], msg: 'String should have at most 120 characters', type: 'string_too_long' },
  { loc: ['body', 'text'], msg: 'Field required', type: 'missing' },
])

/** Shows a form that the service refuses at the first try. */
export function Fields() {
  const words = usePartsWords()
  const [tags, setTags] = useState<readonly string[]>(['garten', 'holz'])
  const [kind, setKind] = useState<Level>('low')
  const [error, setError] = useState<ApiFault | null>(null)
  return (
    <Form names={['name', 'text']} error={error} onSubmit={() => setError(REFUSED)}>
      <div className="side-by-side">
        <TextField name="name" label={words.name} help={words.nameHelp} isRequired />
        <Select
          label={words.kind}
          chosen={kind}
          onChoose={setKind}
          choices={[
            { id: 'low', name: words.low },
            { id: 'high', name: words.high, help: words.highHelp },
          ]}
        />
      </div>
      <TextArea name="text" label={words.text} isRequired={false} />
      <TagInput label={words.tags} tags={tags} onChange={setTags} suggestions={['garage', 'garten', 'gartenbau']} />
      <div className="row">
        <Button kind="main" type="submit">
          {words.write}
        </Button>
      </div>
    </Form>
  )
}

export function Choices() {
  const words = usePartsWords()
  const [isOn, setOn] = useState(true)
  const [level, setLevel] = useState<Level>('low')
  const [chosen, setChosen] = useState<readonly Level[]>(['high'])
  const [isTicked, setTicked] = useState(false)
  const choices = [
    { id: 'low', name: words.low },
    { id: 'high', name: words.high, help: words.highHelp },
  ] as const
  return (
    <div className="side-by-side">
      <RadioGroup label={words.level} choices={choices} chosen={level} onChoose={setLevel} />
      <CheckboxGroup label={words.kind} choices={choices} chosen={chosen} onChange={setChosen} />
      <div className="stack">
        <Checkbox isSelected={isTicked} onChange={setTicked}>
          {words.notify}
        </Checkbox>
        <Switch isOn={isOn} onChange={setOn} help={words.nameHelp}>
          {words.publish}
        </Switch>
      </div>
    </div>
  )
}
