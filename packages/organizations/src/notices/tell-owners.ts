import { findReaders } from '@svc/auth/server'
import { defineJob, type JobContext, type OutputOf, type Tx, t } from '@svc/core'
import type { AnyMail } from '@svc/notification'
import { findOrganization, heldOn, nameOf, store } from '../membership/membership.ts'
import {
  agentConnectedMail,
  closedMail,
  domainProvedMail,
  ownerGainedMail,
  reopenedMail,
} from './owner-mails.ts'
import { mayMail, type NoticeNeeds, orLog, pageOf, sendTo } from './send.ts'

const mails: readonly AnyMail[] = [
  ownerGainedMail,
  closedMail,
  reopenedMail,
  agentConnectedMail,
  domainProvedMail,
]

const Queued = t.Object({
  organizationId: t.String(),
  mail: t.String(),
  data: t.Unknown(),
  /** A page of the users who are told. */
  to: t.Array(t.String()),
  /** Where the next page of owners begins. */
  after: t.Optional(t.String()),
  /** It is not the first page, with which the limit has counted all of them. */
  isCounted: t.Optional(t.Boolean()),
})
type Queued = OutputOf<typeof Queued>

const perPage = 100

/** Every member may be an owner, so a request never mails them itself. */
export const ownerNotice = defineJob('organizations.owner-notice').input(Queued).handler(sendPage)

/** A page is one transaction with the job of the next page: after a failure, none is mailed twice. */
async function sendPage(queued: Queued, { db, log, clock, attempt }: JobContext): Promise<void> {
  const { organizationId, mail: name, data, to: userIds, after } = queued
  const mail = mails.find((each) => each.name === name)
  // An instance of the release that has this mail will get the row when it is retried.
  if (!mail) throw new Error(`This release has no mail named ${name}.`)
  const auth = heldOn(db)
  if (!auth) throw new Error('Organizations have not started yet.')
  const limit = 'owner mails by organization'
  // An earlier attempt has counted it.
  const isCounted = queued.isCounted || attempt > 1
  if (!isCounted && !(await mayMail(auth, limit, organizationId))) return
  await db.transaction(async (tx) => {
    for (const reader of await findReaders(tx, { userIds, now: clock.now() })) {
      await sendTo(reader, mail, { data, log })
    }
    if (after === undefined) return
    const further = await pageOfOwners(tx, organizationId, after)
    await ownerNotice.enqueue({ organizationId, mail: name, data, ...further, isCounted: true })
  })
}

async function pageOfOwners(tx: Tx, organizationId: string, from?: string) {
  const page = { organizationId, role: 'owner' as const, after: from, limit: perPage }
  const { items, next } = await store.memberPage(tx, page)
  const to = items.map(({ userId }) => userId)
  return { to, ...(next !== undefined && { after: next }) }
}

type Organization = NonNullable<Awaited<ReturnType<typeof findOrganization>>>

interface Told<Data> {
  readonly organizationId: string
  readonly mail: { readonly name: string; readonly '~given': Data }
  readonly data: (organization: Organization) => Data | Promise<Data>
  /** A user who is told too: an owner until now. */
  readonly also?: string | undefined
}

/**
 * Tells the owners, once the open transaction has committed. They are read here and not by the job: an attacker who
 * removes an owner right after the act must not keep the mail from them. That goes for the first page of them.
 */
async function tell<Data>(
  tx: Tx,
  auth: NoticeNeeds,
  { organizationId, mail: { name: mail }, data, also }: Told<Data>,
) {
  await orLog(tx, auth, async () => {
    const organization = await findOrganization(tx, organizationId)
    if (!organization) return
    const { to, ...further } = await pageOfOwners(tx, organizationId)
    const told = [...new Set([...to, ...(also === undefined ? [] : [also])])]
    const queued = { organizationId, mail, data: await data(organization), to: told }
    await ownerNotice.enqueue({ ...queued, ...further })
  })
}

interface NewOwner {
  readonly organizationId: string
  readonly owner: string
  /** The member who did it. */
  readonly by?: string | null
  readonly how: 'handed over' | 'given the role' | 'by an operator' | 'last owner deleted'
}

/** The new owner is one of those who are told, and so is one who has handed it over. */
export function tellOfOwner(
  tx: Tx,
  auth: NoticeNeeds,
  { organizationId, owner, by, how }: NewOwner,
) {
  return tell(tx, auth, {
    organizationId,
    mail: ownerGainedMail,
    data: async ({ name, slug }) => ({
      organization: name,
      url: pageOf(auth, slug, 'members'),
      by: await nameOf(tx, by),
      owner: await nameOf(tx, owner),
      how,
      at: auth.clock.now().toISOString(),
    }),
    also: by ?? undefined,
  })
}

interface ByMember {
  readonly organizationId: string
  /** The owner who did it; undefined if an operator did. */
  readonly by?: string
}

export function tellOfClosing(
  tx: Tx,
  auth: NoticeNeeds,
  { organizationId, by, purgeAt }: ByMember & { readonly purgeAt: Date },
) {
  return tell(tx, auth, {
    organizationId,
    mail: closedMail,
    data: async ({ name }) => ({
      organization: name,
      url: pageOf(auth),
      by: await nameOf(tx, by),
      isByOperator: by === undefined,
      purgeAt: purgeAt.toISOString(),
    }),
  })
}

export function tellOfReopening(tx: Tx, auth: NoticeNeeds, { organizationId, by }: ByMember) {
  return tell(tx, auth, {
    organizationId,
    mail: reopenedMail,
    data: async ({ name, slug }) => ({
      organization: name,
      url: pageOf(auth, slug),
      by: await nameOf(tx, by),
      isByOperator: by === undefined,
    }),
  })
}

interface NewAgent {
  readonly organizationId: string
  readonly by: string
  readonly clientName: string
  readonly roles: readonly string[]
}

export function tellOfAgent(
  tx: Tx,
  auth: NoticeNeeds,
  { organizationId, by, clientName, roles }: NewAgent,
) {
  return tell(tx, auth, {
    organizationId,
    mail: agentConnectedMail,
    data: async ({ name, slug }) => ({
      organization: name,
      url: pageOf(auth, slug),
      by: await nameOf(tx, by),
      clientName,
      roles: [...roles],
      at: auth.clock.now().toISOString(),
    }),
  })
}

interface ProvedDomain {
  readonly organizationId: string
  readonly by: string
  readonly domain: string
  readonly roles: readonly string[]
}

export function tellOfDomain(
  tx: Tx,
  auth: NoticeNeeds,
  { organizationId, by, domain, roles }: ProvedDomain,
) {
  return tell(tx, auth, {
    organizationId,
    mail: domainProvedMail,
    data: async ({ name, slug }) => ({
      organization: name,
      url: pageOf(auth, slug, 'domains'),
      by: await nameOf(tx, by),
      domain,
      roles: [...roles],
      at: auth.clock.now().toISOString(),
    }),
  })
}
