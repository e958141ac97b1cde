import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLanguage, useWords } from '../../i18n/language.tsx'
import { faultText, faultTone } from '../../parts/feedback/fault-text.ts'
import { Notice } from '../../parts/feedback/notice.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Table } from '../../parts/tables/table.tsx'
import type { Versioned } from '../../api/versioned.ts'
import { ApiFault } from '../../api/client.ts'
import { chooseModel, type ModelOffer, type Models, modelsQuery, type Status, statusQuery } from './queries.ts'
import { type SystemWords, useSystemWords } from './words.ts'

/** Shows the models that the organisation may search with, what a change costs, and lets administrators choose. */
export function ModelChoice({ status: { embedding } }: { readonly status: Status }) {
  const { models: words } = useSystemWords()
  const models = useQuery(modelsQuery(embedding))
  return (
    <Section title={words.title} help={words.help}>
      <QueryView query={models} skeleton={<Skeleton lines={4} />}>
        {(data) => <Offers models={data} />}
      </QueryView>
    </Section>
  )
}

function Offers({ models: { value, etag } }: { readonly models: Versioned<Models> }) {
  const shared = useWords()
  const { number } = useLanguage().formats
  const { models: words } = useSystemWords()
  const queries = useQueryClient()
  const choosing = useMutation({
    mutationFn: (choice: Models['choice']) => chooseModel(choice, etag),
    onSuccess: (chosen) => sayDone(chosen.model === chosen.target_model ? words.done : words.begun),
    onSettled: () => {
      for (const queryKey of [modelsQuery().queryKey, statusQuery.queryKey])
        void queries.invalidateQueries({ queryKey })
    },
  })
  const isConflict = choosing.error instanceof ApiFault && choosing.error.status === 412
  const best = value.models.find((offer) => offer.can_be_chosen)
  const isOffered = best !== undefined && value.choice === null && isOnWordsAlone(value) && best.items > 0
  return (
    <div className="stack">
      {isOffered ? (
        <Notice tone="plain">{words.offer(number(best.passages), words.minutes(best.minutes))}</Notice>
      ) : null}
      {choosing.isError ? (
        <Notice tone={isConflict ? 'warning' : faultTone(choosing.error)} role="alert">
          {isConflict ? words.conflict : faultText(choosing.error, shared)}
        </Notice>
      ) : null}
      <Table
        label={words.title}
        rows={value.models}
        keyOf={({ name }) => name}
        columns={[
          {
            head: words.model,
            cell: ({ name }) => (
              <>
                {words.names[name].name}
                <span className="second">{words.names[name].help}</span>
              </>
            ),
          },
          { head: words.cost, cell: (offer) => costOf(offer, value, words, number) },
          {
            head: words.action,
            isActions: true,
            cell: (offer) =>
              offer.model === value.target_model || !offer.can_be_chosen ? null : (
                <Button
                  aria-label={words.chooseNamed(words.names[offer.name].name)}
                  onPress={() => choosing.mutate(offer.name)}
                  isPending={choosing.isPending && choosing.variables === offer.name}
                  isDisabled={choosing.isPending}
                >
                  {words.choose}
                </Button>
              ),
          },
        ]}
      />
      {value.choice === null ? (
        <p className="help">{words.notChosen}</p>
      ) : (
        <p className="help">
          {words.chosen}{' '}
          <Button kind="quiet" onPress={() => choosing.mutate(null)} isDisabled={choosing.isPending}>
            {words.leave}
          </Button>
        </p>
      )}
    </div>
  )
}

/** Tells whether search uses the model that knows words alone, and nothing else is on its way. */
function isOnWordsAlone({ model, target_model: target, models }: Models): boolean {
  return model === target && models.some((offer) => offer.name === 'static-de-en-v2' && offer.model === model)
}

function costOf(
  { model, can_be_chosen: canBeChosen, items, passages, minutes }: ModelOffer,
  { model: used, target_model: target }: Models,
  words: SystemWords['models'],
  number: (value: number) => string,
): string {
  if (model === target) return model === used ? words.inUse : words.moving
  if (model === used) return words.until
  if (!canBeChosen) return words.notHere
  return items === 0 ? words.free : words.toRead(number(passages), words.minutes(minutes))
}
