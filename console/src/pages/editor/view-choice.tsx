import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { useEditorWords } from './words.ts'

export type View = 'visual' | 'markdown'

/** Lets people choose between the two views of the text. */
export function ViewChoice(props: {
  readonly view: View
  readonly onChoose: (view: View) => void
  readonly isVisualOff: boolean
}) {
  const words = useEditorWords()
  return (
    <div className="row view-choice">
      <ToggleButtonGroup
        aria-label={words.view}
        className="segments"
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[props.view]}
        onSelectionChange={(keys) => {
          const [view] = keys
          if (view === 'visual' || view === 'markdown') props.onChoose(view)
        }}
      >
        <ToggleButton id="visual" className="segment" isDisabled={props.isVisualOff}>
          {words.views.visual}
        </ToggleButton>
        <ToggleButton id="markdown" className="segment">
          {words.views.markdown}
        </ToggleButton>
      </ToggleButtonGroup>
      {props.isVisualOff ? <span className="quiet">{words.longText}</span> : null}
    </div>
  )
}
