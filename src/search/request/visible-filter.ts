import { levelsUpTo, personalOwner, type Viewer } from '../../platform/access/visibility.ts'
import type { Filter } from '../engine.ts'

/**
 * Returns the rule of `maySee` as an index filter over the key fields visibility, owner and workspace. A property test
 * checks that the filter and `maySee` agree.
 */
export function visibleFilter(caller: Viewer): Filter {
  const levels = levelsUpTo(caller.ceiling)
  const byMembership = caller.tenant.settings.workspaces && levels.includes('workspace')
  const any: Filter[] = [
    { field: 'visibility', anyOf: byMembership ? levels.filter((level) => level !== 'workspace') : levels },
  ]
  if (byMembership && caller.workspaceIds.length > 0) {
    any.push({
      all: [
        { field: 'visibility', anyOf: ['workspace'] },
        { field: 'workspace', anyOf: caller.workspaceIds },
      ],
    })
  }
  const owner = personalOwner(caller)
  if (owner !== null) {
    any.push({
      all: [
        { field: 'visibility', anyOf: ['personal'] },
        { field: 'owner', anyOf: [owner] },
      ],
    })
  }
  return any.length === 1 ? any[0] : { any }
}
