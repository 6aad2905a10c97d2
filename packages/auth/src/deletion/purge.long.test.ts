import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { deletionPurge } from './deletion.ts'
import { told, usePurge } from './test-purge.ts'

const { auth, db, accountOf, statusOf, set, untilPurged } = await usePurge()

describe('auth.deletion-purge', () => {
  it('purges more than one batch, and none for one that cannot be', async () => {
    const users = []
    for (let count = 0; count < 102; count++) {
      const user = await auth.createUser()
      await set(user.userId, { status: 'pending_deletion', purgeAt: auth.clock.now() })
      users.push(user)
    }
    const [stuck, ...others] = users.toSorted((one, two) => (one.userId < two.userId ? -1 : 1))
    const id = sql.raw(`'${stuck?.userId}'`)
    // Such as a trigger or a rule of the application's own.
    await db.execute(sql`
      alter table svc_auth.users add constraint stuck check (user_id <> ${id} or status <> 'deleted')`)
    await auth.within(() => deletionPurge.enqueue())
    const last = others.at(-1) as { userId: string }
    await untilPurged(last.userId)
    for (const { userId } of others) expect(await statusOf(userId)).toBe('deleted')
    expect(await accountOf(stuck?.userId as string)).toMatchObject({
      status: 'pending_deletion',
      email: stuck?.email,
    })
    expect(told.filter((each) => each === last.userId)).toHaveLength(1)
    await db.execute(sql`alter table svc_auth.users drop constraint stuck`)
  })
})
