import { setRolePermissions } from '@svc/auth/server'
import { redisProgram, startTestRedis } from '@svc/core/testing'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { machineOf } from './test-machine.ts'
import { boardChanged, startTestOrganizations, stepsOf, teamSaid } from './test-organizations.ts'

const missing = redisProgram ? '' : ' (no redis-server on PATH)'

describe.skipIf(missing)(`what is followed in an organization${missing}`, async () => {
  const redis = await startTestRedis()
  const auth = await startTestOrganizations({ CACHE_URL: redis.url })
  const other = await auth.secondInstance()
  afterAll(async () => {
    await auth.stop()
    await redis.stop()
  })
  const { apiOf, created, joined, listen, programOf } = stepsOf(auth)

  it('ends with the membership within a second, on every instance (R45)', async () => {
    const { owner, org } = await created()
    const [leaver, stayer] = [await joined(owner, org), await joined(owner, org)]
    const stranger = await auth.signedInUser()
    expect((await listen(stranger, org)).outcome).toBe('ForbiddenError')
    const [left, stayed] = [await listen(leaver, org, other), await listen(stayer, org, other)]
    const elsewhere = await created()
    const witness = await listen(elsewhere.owner, elsewhere.org, other)
    const program = await listen({ key: await programOf(owner, org) }, org, other)
    const say = (text: string) => boardChanged.of(org).emit({ text })
    await say('one')
    await expect
      .poll(() => [left.heard, stayed.heard, program.heard])
      .toEqual([['one'], ['one'], ['one']])
    await apiOf(leaver).leaveOrganization.call({ params: { org } })
    await new Promise((resolve) => setTimeout(resolve, 900))
    await say('two')
    await expect.poll(() => stayed.heard).toEqual(['one', 'two'])
    await apiOf(owner).closeOrganization.call({ params: { org }, body: {} })
    await new Promise((resolve) => setTimeout(resolve, 900))
    await say('three')
    // What is said later elsewhere has arrived, so what was said before it would have.
    await boardChanged.of(elsewhere.org).emit({ text: 'last' })
    await expect.poll(() => witness.heard).toEqual(['last'])
    expect(left.heard).toEqual(['one'])
    expect([stayed.heard, program.heard]).toEqual([
      ['one', 'two'],
      ['one', 'two'],
    ])
  })

  it('ends with the place in a team, and with the team, within a second, on every instance (R45)', async () => {
    const { owner, org } = await created()
    const [leaver, stayer] = [await joined(owner, org), await joined(owner, org)]
    const { teamId } = await apiOf(owner).createTeam.call({
      params: { org },
      body: { name: 'Sales' },
    })
    const params = { org, teamId }
    for (const { userId } of [leaver, stayer]) {
      await apiOf(owner).addTeamMember.call({ params, body: { userId } })
    }
    const id = `${org}:${teamId}`
    const follow = (user: typeof owner) => listen(user, id, other, 'teamSaid')
    // The owner may manage the team, and isn't in it. For a machine, nothing was chosen in it.
    expect((await follow(owner)).outcome).toBe('ForbiddenError')
    const machine = { ...leaver, key: await machineOf(auth, leaver) }
    expect((await follow(machine)).outcome).toBe('ForbiddenError')
    const [left, stayed] = [await follow(leaver), await follow(stayer)]
    const witness = await listen(owner, org, other)
    const say = (text: string) => teamSaid.of(id).emit({ text })
    await say('one')
    await expect.poll(() => [left.heard, stayed.heard]).toEqual([['one'], ['one']])
    await apiOf(owner).removeTeamMember.call({ params: { ...params, userId: leaver.userId } })
    await new Promise((resolve) => setTimeout(resolve, 900))
    await say('two')
    await expect.poll(() => stayed.heard).toEqual(['one', 'two'])
    await apiOf(owner).deleteTeam.call({ params })
    await new Promise((resolve) => setTimeout(resolve, 900))
    await say('three')
    // What is said later elsewhere has arrived, so what was said before it would have.
    await boardChanged.of(org).emit({ text: 'last' })
    await expect.poll(() => witness.heard).toEqual(['last'])
    expect(left.heard).toEqual(['one'])
    expect(stayed.heard).toEqual(['one', 'two'])
  })

  it('ends when a policy refuses the key that follows, within a second, on every instance (R45)', async () => {
    const { owner, org } = await created()
    const member = await joined(owner, org)
    const [left, stayed] = [await listen(member, org, other), await listen(owner, org, other)]
    const say = (text: string) => boardChanged.of(org).emit({ text })
    await say('one')
    await expect.poll(() => [left.heard, stayed.heard]).toEqual([['one'], ['one']])
    // As a sign-in of another way leaves it.
    await auth.auth.db.execute(
      sql`update svc_auth.device_keys set signed_in_by = 'code' where key_id = ${member.key.keyId}`,
    )
    await apiOf(owner).updateOrganizationPolicies.call({
      params: { org },
      body: { waysIn: ['password'] },
    })
    await new Promise((resolve) => setTimeout(resolve, 900))
    await say('two')
    await expect.poll(() => stayed.heard).toEqual(['one', 'two'])
    expect(left.heard).toEqual(['one'])
    expect((await listen(member, org, other)).outcome).toBe('ForbiddenError')
  })

  it('ends when the account meets a policy no longer, or by time alone (R45)', async () => {
    const look = async () => {
      // Each instance does it every 30 seconds. This makes it look now.
      await auth.within(() => setRolePermissions('user', []))
      await new Promise((resolve) => setTimeout(resolve, 900))
    }
    const [aged, moved] = [await created(), await created()]
    const member = await joined(moved.owner, moved.org)
    const set = ({ owner, org }: typeof aged, body: object) =>
      apiOf(owner).updateOrganizationPolicies.call({ params: { org }, body })
    await set(aged, { maxKeyAgeHours: 24 })
    const program = { key: await programOf(aged.owner, aged.org) }
    // Less than a stream's own life before the end.
    const signedIn = sql`now() - interval '23 hours 55 minutes'`
    await auth.auth.db.execute(sql`update svc_auth.device_keys
      set created_at = ${signedIn}, signed_in_at = ${signedIn}, authenticated_at = ${signedIn}
      where key_id = ${aged.owner.key.keyId}`)
    await set(moved, { allowedDomains: [member.email.split('@')[1]] })
    const followers = [
      await listen(aged.owner, aged.org, other),
      await listen(program, aged.org, other),
      await listen(member, moved.org, other),
      await listen(moved.owner, moved.org, other),
    ]
    const heard = () => followers.map((each) => each.heard.at(-1))
    const say = async (text: string) => {
      for (const { org } of [aged, moved]) await boardChanged.of(org).emit({ text })
    }
    await say('one')
    await expect.poll(heard).toEqual(['one', 'one', 'one', 'one'])
    await look()
    await auth.auth.db.execute(
      sql`update svc_auth.users set email_verified_at = null where user_id = ${member.userId}`,
    )
    await look()
    await say('two')
    await expect.poll(heard).toEqual(['two', 'two', 'one', 'two'])
    auth.clock.advance('6m')
    other.clock.set(auth.clock.now())
    await look()
    await say('three')
    await expect.poll(heard).toEqual(['two', 'three', 'one', 'three'])
  })
})
