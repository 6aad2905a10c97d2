import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { authContract } from './auth-contract.ts'
import { coreActs } from './caller/core-acts.ts'
import { authCapabilities } from './capabilities.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

/** The rows of a section of the page. What the code says is written by `npm run docs:generate`. */
function rowsOf(heading: string) {
  const sections = read('../../../docs/reference/auth.md').split(/^## /m)
  return sections.find((each) => each.startsWith(`${heading}\n`))?.match(/^\| `.*\|$/gm) ?? []
}

describe('docs/reference/auth.md', () => {
  it('says of every operation that changes something what the same call again answers', () => {
    const readers =
      'getAuthSession listKeys checkUsername getUserProfile listRoles listAuditEvents listStreams ' +
      'listJobQueues listJobs readJob pendingFactorRemoval ' +
      'listAgents listMachines readServerState listLimitHits ' +
      'confirmRevokeAllLink getDeviceAuthInfo listInvitations getInvitation exportUserData ' +
      'confirmContactUndoLink listPasskeys mfaStatus mfaStatusOfDevice getSessionBinding ' +
      'providers listSocialAccounts getOAuth2Authorize listOAuth2Grants getOAuth2Grant ' +
      'listApprovals listUsers readUser'
    const listed = rowsOf('Sent again').join('\n')
    const named = Object.keys(authContract).filter((name) => listed.includes(`\`${name}\``))
    expect([...named, ...readers.split(' ')].toSorted()).toEqual(
      Object.keys(authContract).toSorted(),
    )
  })

  it('has every act of the audit trail, and no other', () => {
    const files = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' })
    const written = files
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      // Tests, with acts of their own.
      .filter((path) => !path.startsWith('trials/'))
      .flatMap((path) => [...read(`./${path}`).matchAll(/\bact(?:: | = )(['`])(.+?)\1/g)])
      .map(([, , act = '']) => act)
      // The one that is composed.
      .flatMap((act) => (act.startsWith('key.$') ? ['key.revoked', 'key.logout'] : [act]))
      // Those that capabilities declare, which is the only way to write one through `auth.audit`.
      .concat(authCapabilities({}).flatMap(({ parts }) => parts.audit ?? []))
    const listed = rowsOf('The audit trail').map((line) => line.split('`')[1] ?? '')
    expect(listed.toSorted()).toEqual([...new Set(written)].toSorted())
    // What is declared compiles in `recordAudit`, and nothing else does.
    const declared: string[] = [
      ...coreActs,
      ...authCapabilities({}).flatMap(({ parts }) => parts.audit ?? []),
    ]
    expect(declared.toSorted()).toEqual(listed.toSorted())
  })
})
