import { FileText, Plus } from 'lucide-react'
import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { LanguageChoice } from '../../frame/language-choice.tsx'
import { Button, IconButton, ToggleButton } from '../../parts/layout/button.tsx'
import { FilterChips } from '../../parts/fields/chips.tsx'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { CopyButton } from '../../parts/text/copy-button.tsx'
import { DescriptionList } from '../../parts/layout/description-list.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { FileDrop } from '../../parts/fields/file-drop.tsx'
import { Failure } from '../../parts/feedback/query-view.tsx'
import { Markdown } from '../../parts/text/markdown.tsx'
import { Menu } from '../../parts/layout/menu.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { Ago } from '../../parts/text/time.tsx'
import { sayDone, sayFailed, Toasts } from '../../parts/feedback/toast.tsx'
import { Choices, Fields } from './fields.tsx'
import { Lists } from './lists.tsx'
import { usePartsWords } from './words.ts'

/** Shows every part in its states: to choose from, to look at, and for the tests. */
export function PartsPage() {
  const words = usePartsWords()
  const [isPending, setPending] = useState(false)
  return (
    <>
      <main className="content">
        <Page title={words.title} intro={words.intro} action={<LanguageChoice />}>
          <Section title={words.buttons}>
            <div className="row">
              <Button kind="main" icon={Plus}>
                {words.write}
              </Button>
              <Button>{words.open}</Button>
              <Button kind="quiet">{words.open}</Button>
              <Button kind="danger">{words.ask}</Button>
              <Button isDisabled>{words.open}</Button>
              <Button isPending={isPending} onPress={() => setPending(true)}>
                {words.say}
              </Button>
              <IconButton icon={Plus} label={words.write} />
              <Toggle />
              <CopyButton text="text" />
            </div>
          </Section>
          <Section title={words.fields}>
            <Fields />
          </Section>
          <Section title={words.choices}>
            <Choices />
          </Section>
          <Section title={words.overlays}>
            <Overlays />
          </Section>
          <Lists />
          <Section title={words.states}>
            <States />
          </Section>
        </Page>
      </main>
      <Toasts />
    </>
  )
}

function Toggle() {
  const words = usePartsWords()
  const [isOn, setOn] = useState(true)
  return (
    <ToggleButton isOn={isOn} onChange={setOn}>
      {words.publish}
    </ToggleButton>
  )
}

function Overlays() {
  const words = usePartsWords()
  const [open, setOpen] = useState<'dialog' | 'question' | null>(null)
  const [chosen, setChosen] = useState('low')
  const close = (): void => setOpen(null)
  return (
    <div className="row">
      <Button onPress={() => setOpen('dialog')}>{words.open}</Button>
      <Button kind="danger" onPress={() => setOpen('question')}>
        {words.ask}
      </Button>
      <Menu
        label={words.kind}
        button={<Button>{words.kind}</Button>}
        choices={[
          {
            id: 'level',
            title: words.level,
            options: [
              { id: 'low', name: words.low },
              { id: 'high', name: words.high },
            ],
            chosen,
            onChoose: setChosen,
          },
        ]}
        actions={[{ id: 'ask', name: words.ask, isDanger: true, onAction: () => setOpen('question') }]}
      />
      <Button onPress={() => sayDone(words.said)}>{words.say}</Button>
      <Button onPress={() => sayFailed(words.empty)}>{words.fail}</Button>
      {open === 'dialog' ? (
        <Dialog title={words.write} onClose={close}>
          <p className="dialog-text">{words.emptyHelp}</p>
          <div className="dialog-actions">
            <Button kind="main" onPress={close}>
              {words.write}
            </Button>
          </div>
        </Dialog>
      ) : null}
      {open === 'question' ? (
        <ConfirmDialog
          title={words.askTitle}
          text={words.askText}
          confirm={words.ask}
          isBusy={false}
          error={null}
          onConfirm={close}
          onClose={close}
        />
      ) : null}
    </div>
  )
}

const EARLIER = new Date(Date.now() - 7_200_000).toISOString()

const FAULT = new ApiFault(new Response(null, { status: 500, headers: { 'x-request-id': 'req-4711' } }), [])

function States() {
  const words = usePartsWords()
  return (
    <div className="stack">
      <Notice tone="plain">{words.nameHelp}</Notice>
      <Notice tone="success">{words.said}</Notice>
      <Notice tone="warning">{words.highHelp}</Notice>
      <Failure error={FAULT} onRetry={() => {}} />
      <Empty
        icon={FileText}
        title={words.empty}
        help={words.emptyHelp}
        action={<Button kind="main">{words.write}</Button>}
      />
      <Skeleton />
      <Markdown text={words.markdown} />
      <FilterChips
        chips={[{ id: 'language', name: words.filter }]}
        onRemove={() => sayDone(words.filter)}
        onClear={() => sayDone(words.filter)}
      />
      <DescriptionList
        facts={[
          [words.name, words.write],
          [words.changed, <Ago key="ago" iso={EARLIER} />],
        ]}
      />
      <FileDrop
        label={words.write}
        accepts={['.md']}
        help={words.emptyHelp}
        onFiles={(files) => sayDone(files.map(({ name }) => name).join(', '))}
      />
    </div>
  )
}
