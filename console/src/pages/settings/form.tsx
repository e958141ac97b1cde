import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionQuery } from '../../api/session.ts'
import { DescriptionList } from '../../parts/layout/description-list.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { SaveBar } from '../../parts/editing/save-bar.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { useVersioned } from '../../parts/editing/use-versioned.ts'
import { Conflict } from './conflict.tsx'
import { AccessFields, SearchFields } from './fields.tsx'
import { SettingsGroup } from './group.tsx'
import { LanguageField } from './language-field.tsx'
import { readSettings, SETTINGS_KEY, type TenantSettings, writeSettings } from './queries.ts'
import { RetentionFields } from './retention-fields.tsx'
import { useSettingsWords } from './words.ts'

/** Shows all settings of the organisation, saved together. */
export function SettingsForm() {
  const words = useSettingsWords()
  const queries = useQueryClient()
  const settings = useVersioned<TenantSettings>({ key: SETTINGS_KEY, read: readSettings, write: writeSettings })
  const { value, stored, changed, change } = settings
  const save = (): void =>
    settings.save(() => {
      sayDone(words.saved)
      // The frame shows the organisation's name.
      void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    })
  return (
    <QueryView query={settings.query} skeleton={<Skeleton lines={12} />}>
      {() =>
        value === undefined || stored === undefined ? null : (
          <div className="settings-form">
            <Form names={Object.keys(value)} error={settings.error} isGuarded={false} onSubmit={save}>
              <Conflict theirs={settings.theirs} stored={stored} mine={value} changed={changed} />
              <SettingsGroup title={words.organisation.title} help={words.organisation.help}>
                <TextField
                  name="name"
                  label={words.fields.name}
                  value={value.name}
                  onChange={(name) => change({ name })}
                />
                <LanguageField language={value.language} onChoose={(language) => change({ language })} />
                <DescriptionList facts={[[words.fields.host, value.host ?? words.organisation.noHost]]} />
              </SettingsGroup>
              <SearchFields
                settings={value}
                onChange={change}
                engine={
                  <DescriptionList
                    facts={[[words.fields.search_engine, words.search.engines[value.search_engine].name]]}
                  />
                }
              />
              <AccessFields
                settings={value}
                onChange={change}
                links={{
                  clients: <Link to="/console/settings/oauth-clients">{words.assistants.clients}</Link>,
                  singleSignOn: <Link to="/console/settings/single-sign-on">{words.security.singleSignOn}</Link>,
                }}
              />
              <RetentionFields settings={value} onChange={change} />
              <SettingsGroup title={words.embedding.title} help={words.embedding.help}>
                <DescriptionList
                  facts={[[words.fields.embedding_model, value.embedding_model ?? words.embedding.noModel]]}
                />
                <Link to="/console/system">{words.embedding.status}</Link>
              </SettingsGroup>
              <SaveBar count={changed.length} isSaving={settings.isSaving} onDiscard={settings.discard} />
            </Form>
          </div>
        )
      }
    </QueryView>
  )
}
