import type { ReactNode } from 'react'
import { useWords } from '../../i18n/language.tsx'
import { Device } from './device.tsx'
import { Table } from '../tables/table.tsx'
import { Moment } from '../text/time.tsx'

interface ShownSession {
  readonly id: string
  /** Whether it is the session of this browser. */
  readonly current?: boolean
  readonly created_at: string
  readonly expires_at: string
  readonly address: string | null
  readonly browser: string | null
}

/** Lists the sessions of a person. @param props.action actions for one session */
export function SessionTable<Session extends ShownSession>(props: {
  readonly sessions: readonly Session[]
  readonly action?: (session: Session) => ReactNode
}) {
  const { actions, sessions: text } = useWords()
  const { action } = props
  return (
    <Table
      label={text.table}
      rows={props.sessions}
      keyOf={({ id }) => id}
      columns={[
        {
          head: text.device,
          cell: ({ browser, current }) => (
            <>
              <Device browser={browser} />
              {current === true ? <span className="badge badge-active">{text.current}</span> : null}
            </>
          ),
        },
        {
          head: text.address,
          cell: ({ address }) =>
            address === null ? (
              <span className="quiet">{text.unknownAddress}</span>
            ) : (
              <span className="wrap">{address}</span>
            ),
        },
        { head: text.since, cell: ({ created_at: at }) => <Moment iso={at} /> },
        { head: text.until, cell: ({ expires_at: at }) => <Moment iso={at} /> },
        ...(action === undefined ? [] : [{ head: actions, isActions: true, cell: action }]),
      ]}
    />
  )
}
