import { randomUUID } from 'node:crypto'
import { createTestKey } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { signedInLongAgo } from './enrolled-visitor.ts'
import { keptJob } from './kept-job.ts'
import { app } from './running-web-app.ts'
import { encryptionKey, verificationSecret } from './test-web-app.ts'
import { newVisitor, signedInVisitor } from './visitor.ts'

const operator = await app.api.signedInUser({ role: 'superadmin' })

/** A user with a device, whose address begins with a word that no other has. */
async function someone() {
  const word = randomUUID().slice(0, 8)
  const user = await app.api.signedInUser({ email: `${word}.hopper@example.com` })
  return { ...user, word }
}

async function openConsole() {
  const visitor = await signedInVisitor(operator)
  await visitor.page.setViewportSize({ width: 375, height: 700 })
  await visitor.open('/admin/people')
  return visitor
}

/** An operator whose role has these permissions and no others. */
async function operatorWith(permissions: string[]) {
  const name = `role-${randomUUID().slice(0, 8)}`
  const role = { name, displayName: 'Some operator', permissions }
  const made = await app.api.call('createAdminRole', role, operator.key)
  expect(made.status).toBe(201)
  return signedInVisitor(await app.api.createUser({ role: name }))
}

describe('the console, on a phone', () => {
  it('finds a user by half an address, and shows where they are signed in', async () => {
    const { word, email } = await someone()
    const { page, fill, click } = await openConsole()
    await fill('Begins with', word)
    await click('Search')
    await page.getByRole('link', { name: email }).click()
    await page.getByRole('heading', { name: email, level: 1 }).waitFor()
    await page.getByRole('heading', { name: 'Devices' }).waitFor()
    expect(await page.getByRole('button', { name: 'Sign out Device without a name' }).count()).toBe(
      1,
    )
  })

  it('says what to do where no user is found', async () => {
    const { fill, click, see } = await openConsole()
    await fill('Begins with', randomUUID())
    await click('Search')
    await see('No user begins like that. Give less of the beginning, or search in another field.')
  })

  it('signs out a lost device with a reason, and its next request is refused', async () => {
    const { userId, email, key } = await someone()
    const { page, open, fill, click, see } = await openConsole()
    await open(`/admin/people/${userId}`)
    await page.getByRole('button', { name: 'Sign out Device without a name' }).click()
    await fill('Reason', 'Lost on a train')
    await click('Yes, sign out')
    await see(`${email} is signed out of Device without a name.`)
    await see('This user is not signed in anywhere.')
    expect((await app.api.call('getAuthSession', undefined, key)).status).toBe(401)
    const query = { query: { target: userId } }
    const trail = await app.api.call('listAuditEvents', undefined, operator.key, query)
    const reasons = trail.body.data.map(
      (row: { details?: { reason?: string } }) => row.details?.reason,
    )
    expect(reasons).toContain('Lost on a train')
  })

  it('suspends a user with a reason, which the trail keeps, and allows sign-ins again', async () => {
    const { userId, email, password } = await someone()
    const { open, fill, click, see } = await openConsole()
    await open(`/admin/people/${userId}`)
    await click('Suspend')
    await fill('Reason', 'Spam from this account')
    await click('Yes, suspend')
    await see(`${email} is suspended, and signed out everywhere.`)
    const { registration } = await createTestKey()
    const refused = await app.api.call('login', { email, password, ...registration })
    expect(refused.status).not.toBe(200)
    await click('Allow sign-ins again')
    await click('Yes, allow it')
    await see(`${email} can sign in again.`)
    await app.api.signIn({ email, password })
  })

  it('requires a new password, says so in sight, and closes the question', async () => {
    const { userId, email } = await someone()
    const { page, open, click, see } = await openConsole()
    await open(`/admin/people/${userId}`)
    await click('Require a new password')
    await click('Yes, require it')
    await see(`${email} must choose another password at the next sign-in.`)
    await page.getByRole('button', { name: 'Require a new password' }).waitFor()
    expect(await page.getByRole('button', { name: 'Yes, require it' }).count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.matches('.svc-focusable'))).toBe(true)
  })

  it('breaks an address that is longer than the page', async () => {
    const email = `${randomUUID()}.${randomUUID()}@example.com`
    const { userId } = await app.api.createUser({ email })
    const { page, open } = await openConsole()
    await open(`/admin/people/${userId}`)
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
    expect(scrollWidth).toBe(clientWidth)
  })

  it('leads from a user to why they were suspended, and from there to who did it', async () => {
    const { userId } = await someone()
    const input = { params: { userId } }
    await app.api.call('suspendUser', { reason: 'Sold the account' }, operator.key, input)
    const { page, open, see } = await openConsole()
    await open(`/admin/people/${userId}`)
    await page.getByRole('link', { name: 'What happened to this account' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'account.suspended' })
    await row.getByText('User suspended').waitFor()
    await row.getByText('Details').click()
    await row.getByText('Sold the account').waitFor()
    await row.getByRole('link', { name: operator.email }).click()
    await see('This is your own account.')
  })

  it('lists no acts of others where what was typed is no day, or an address and no user may be read', async () => {
    const { page, open, see } = await operatorWith(['audit:read'])
    await open(`/admin/audit?actor=${operator.email}`)
    await see('Enter the id of a user.')
    expect(await page.getByLabel('By (user id)').inputValue()).toBe(operator.email)
    await open('/admin/audit?from=yesterday')
    await see('Write a day like 2030-01-31.')
    expect(await page.getByRole('list', { name: 'Acts' }).count()).toBe(0)
  })

  it('finds what a user did by their address, and names no one to an operator who may not read users', async () => {
    const { email, userId } = await someone()
    const { page, open, fill, click } = await openConsole()
    await open('/admin/audit')
    await page.getByText('More filters').click()
    await fill('By (address or user id)', email)
    await click('Search')
    const row = page.getByRole('listitem').filter({ hasText: 'Sign-in' }).first()
    await row.getByRole('link', { name: email }).waitFor()
    const auditor = await operatorWith(['audit:read'])
    await auditor.open(`/admin/audit?actor=${userId}`)
    await auditor.page.getByText(userId).first().waitFor()
    expect(await auditor.page.getByText(email).count()).toBe(0)
  })

  it('shows why a user is suspended, since when and by whom, and who opened the account', async () => {
    const { userId } = await someone()
    const input = { params: { userId } }
    await app.api.call('suspendUser', { reason: 'Spam from here' }, operator.key, input)
    const { page, open, see } = await openConsole()
    await open(`/admin/people/${userId}`)
    await see('Spam from here')
    await see('Suspended since')
    await page.getByRole('link', { name: operator.email }).waitFor()
    const given = { email: `${randomUUID()}@example.com` }
    const made = await app.api.call('createUser', given, operator.key)
    await open(`/admin/people/${made.body.userId}`)
    await see('Created by')
    await page.getByRole('link', { name: operator.email }).waitFor()
  })

  it('shows no act on the operator’s own account', async () => {
    const { open, see, page } = await openConsole()
    await open(`/admin/people/${operator.userId}`)
    await see('This is your own account.')
    expect(await page.getByRole('button', { name: 'Suspend' }).count()).toBe(0)
  })

  it('shows an operator who may only see users neither acts nor roles', async () => {
    const { userId, email } = await someone()
    const { page, open } = await operatorWith(['user:read'])
    await open(`/admin/people/${userId}`)
    await page.getByRole('heading', { name: email, level: 1 }).waitFor()
    expect(await page.getByRole('heading', { name: 'Devices' }).count()).toBe(1)
    for (const hidden of ['Help this user', 'Roles']) {
      expect(await page.getByRole('heading', { name: hidden }).count()).toBe(0)
    }
    expect(await page.getByRole('button', { name: 'Sign out Device without a name' }).count()).toBe(
      0,
    )
  })

  it('reads what an operator did, and filters it', async () => {
    const { userId } = await someone()
    const input = { params: { userId } }
    await app.api.call('suspendUser', { reason: 'For the trail' }, operator.key, input)
    const { page, open, fill, click } = await openConsole()
    await open('/admin/audit')
    await page.getByText('More filters').click()
    await fill('To whom or what', userId)
    await click('Search')
    const row = page.getByRole('listitem').filter({ hasText: 'account.suspended' })
    await row.getByText('Details').click()
    await row.getByText('For the trail').waitFor()
    expect(await row.count()).toBe(1)
  })

  it('lists open streams, and ends one', async () => {
    const { email, password } = await someone()
    const owner = await signedInVisitor({ email, password })
    await owner.open('/live')
    await owner.page.getByText('Connected', { exact: true }).first().waitFor()
    const { page, open, click, see } = await openConsole()
    await open('/admin/live')
    const row = page.getByRole('listitem').filter({ hasText: email }).first()
    await row.getByRole('button', { name: 'End' }).click()
    await click('Yes, end it')
    await see('The stream has ended.')
    expect(await page.evaluate(() => document.activeElement?.matches('.svc-focusable'))).toBe(true)
  })

  it('ends the key of a machine, whose next request is refused', async () => {
    const owner = await app.api.signedInUser()
    const { registration, ...machine } = await createTestKey()
    const deviceName = `Report ${randomUUID().slice(0, 8)}`
    const body = { ...registration, deviceName, permissions: [] }
    expect((await app.api.call('createMachineKey', body, owner.key)).status).toBe(200)
    const { page, open, click, see } = await openConsole()
    await open('/admin/programs')
    await page.getByRole('link', { name: owner.email }).waitFor()
    await page.getByRole('button', { name: `End ${deviceName}` }).click()
    await click('Yes, end it')
    await see('The key has ended.')
    await page.getByRole('heading', { name: deviceName }).waitFor({ state: 'detached' })
    expect((await app.api.call('getAuthSession', undefined, machine)).status).toBe(401)
  })

  it('lists agents with where they send their users', async () => {
    const client_name = `Agent ${randomUUID().slice(0, 8)}`
    const redirect_uris = ['http://127.0.0.1:7777/callback']
    const body = { client_name, redirect_uris, token_endpoint_auth_method: 'none' }
    expect((await app.api.call('registerOAuth2Client', body)).status).toBe(201)
    const { page, open } = await openConsole()
    await open('/admin/programs')
    const row = page.getByRole('listitem').filter({ hasText: client_name })
    await row.getByText('127.0.0.1:7777').waitFor()
    await row.getByText('Active grants: 0').waitFor()
  })

  it('ends the access of an agent to an account', async () => {
    const user = await app.api.signedInUser()
    const client_name = `Agent ${randomUUID().slice(0, 8)}`
    const redirect_uris = ['http://127.0.0.1:7777/callback']
    const body = { client_name, redirect_uris, token_endpoint_auth_method: 'none' }
    const { client_id } = (await app.api.call('registerOAuth2Client', body)).body
    await app.api.auth.db.execute(`
      insert into svc_auth.oauth2_grants (state, user_id, generation, client_id, scopes, resource,
        redirect_uri, code_hash, code_challenge, code_expires_at, created_at, expires_at)
      values ('active', '${user.userId}', 0, '${client_id}', '{}', '/', '/', '${randomUUID()}', '',
        now(), now(), now() + interval '1 day')`)
    const grants = async () =>
      (await app.api.call('readUser', undefined, operator.key, { params: { userId: user.userId } }))
        .body.grants
    expect(await grants()).toHaveLength(1)
    const { page, open, click, see } = await openConsole()
    await open('/admin/programs')
    await page.getByText(`Accounts that have given it access ${client_name}`).click()
    await page.getByRole('button', { name: `End ${client_name} ${user.email}` }).click()
    await see(`End the access of ${client_name} to the account of ${user.email}?`)
    await click('Yes, end it')
    await see('The access has ended.')
    expect(await grants()).toEqual([])
  })

  it('shows how the server is and what is configured, and no value', async () => {
    const { page, open, see } = await openConsole()
    await open('/admin/server')
    await see('Healthy')
    await page.getByText(/^Svc \d+\.\d+\.\d+, Node \d+/).waitFor()
    const row = page.getByRole('listitem').filter({ hasText: 'SVC_AUTH_TOKEN_ENCRYPTION_KEYS' })
    await row.getByText('On', { exact: true }).waitFor()
    const html = await page.content()
    for (const secret of [encryptionKey, verificationSecret]) expect(html).not.toContain(secret)
  })

  it('shows the limits that have refused requests', async () => {
    const { limitHits } = app.api.infrastructure
    const { open, see } = await openConsole()
    await open('/admin/limits')
    await see('Limits are off. SVC_RATE_LIMIT turns them on.')
    for (let n = 0; n < 3; n++) limitHits.add('login by address')
    await open('/admin/limits')
    await see('login by address')
    await see('3 times')
  })

  it('shows the parts of an operator alone, and opens no other', async () => {
    const { key } = await app.api.signedInUser({ role: 'superadmin' })
    const name = `server-${randomUUID().slice(0, 8)}`
    const role = { name, displayName: 'Server', permissions: ['server:read'] }
    expect((await app.api.call('createAdminRole', role, key)).status).toBe(201)
    const { page, open, see } = await signedInVisitor(await app.api.createUser({ role: name }))
    await open('/admin/server')
    const tabs = page.getByRole('navigation', { name: 'Administration' }).getByRole('link')
    expect(await tabs.allTextContents()).toEqual(['Limits', 'Server'])
    await open('/admin/programs')
    await see('This page needs the permission user:read.')
    expect(await page.getByRole('heading', { name: 'Machine keys' }).count()).toBe(0)
  })

  it('has a page for an account that is not there', async () => {
    const { open } = await openConsole()
    expect((await open(`/admin/people/${randomUUID()}`))?.status()).toBe(404)
  })
})

describe('the jobs of the console, on a phone', () => {
  const stateOf = async ({ jobId, job }: { jobId: string; job: string }) => {
    const query = { query: { job, limit: 100 } }
    const { body } = await app.api.call('listJobs', undefined, operator.key, query)
    return body.jobs.find((each: { jobId: string }) => each.jobId === jobId)?.state
  }

  it('leads from a queue to a failed job, says why it failed, and runs it once more', async () => {
    const message = `no paper in ${'printer-'.repeat(20)}`
    const kept = await keptJob(app.api, 'failed', message)
    const { page, open, see } = await openConsole()
    await open('/admin/jobs')
    await page.getByRole('link', { name: `failed · ${kept.job}` }).click()
    // The page before has the job, too.
    await page.waitForURL(/[?&]state=failed/)
    const row = page.getByRole('listitem').filter({ hasText: kept.jobId })
    await row.getByText(`PrinterError: ${message}`).waitFor()
    await row.getByText('1 of 1 runs').waitFor()
    // The fields of the search are those of the link.
    expect(await page.getByLabel('Queue', { exact: true }).inputValue()).toBe(kept.job)
    expect(await page.getByLabel('State', { exact: true }).inputValue()).toBe('failed')
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
    expect(scrollWidth).toBe(clientWidth)
    await row.getByRole('button', { name: `Try again ${kept.job} ${kept.jobId}` }).click()
    await see('The job runs once more.')
    await row.waitFor({ state: 'detached' })
    await expect.poll(() => stateOf(kept), { timeout: 10_000 }).toBe('done')
  })

  it('opens one job with its input and the whole error, and goes back', async () => {
    const kept = await keptJob(app.api, 'failed')
    const { page, open, see } = await openConsole()
    await open('/admin/jobs?state=failed')
    await page.getByRole('link', { name: kept.jobId }).click()
    await page.getByRole('heading', { name: kept.job, level: 1 }).waitFor()
    await see('Finished')
    await see('PrinterError: out of paper')
    await page.getByRole('link', { name: '← All queues' }).click()
    await page.getByRole('heading', { name: 'Queues' }).waitFor()
    for (const unknown of [randomUUID(), 'no-id']) {
      expect((await open(`/admin/jobs/${unknown}`))?.status()).toBe(404)
    }
  })

  it('cancels a job that waits by keyboard, after a question', async () => {
    const kept = await keptJob(app.api, 'created')
    const { page, open, see } = await openConsole()
    await open(`/admin/jobs?job=${kept.job}&state=waiting`)
    const row = page.getByRole('listitem').filter({ hasText: kept.jobId })
    await row.getByRole('button', { name: `Cancel ${kept.job} ${kept.jobId}` }).press('Enter')
    await see('Cancel this job? It will not run.')
    expect(await stateOf(kept)).toBe('waiting')
    const confirm = row.getByRole('button', { name: 'Yes, cancel it' })
    await expect.poll(() => confirm.evaluate((each) => each === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await see('The job is cancelled. It will not run.')
    expect(await stateOf(kept)).toBe('cancelled')
    // The button is gone with the job, and the focus is where the next ones are.
    await row.waitFor({ state: 'detached' })
    expect(
      await page.evaluate(() =>
        document.activeElement?.matches('.svc-focusable:has([role=alert])'),
      ),
    ).toBe(true)
  })

  it('asks an operator who signed in long ago for a proof, and then retries the job', async () => {
    const kept = await keptJob(app.api, 'failed')
    const admin = await app.api.createUser({ role: 'admin' })
    const { page, open, see } = await signedInLongAgo(admin)
    await open('/admin/jobs?state=failed')
    await page.getByRole('button', { name: `Try again ${kept.job} ${kept.jobId}` }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByLabel('Your password', { exact: true }).fill(admin.password)
    expect(await stateOf(kept)).toBe('failed')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await see('The job runs once more.')
  })

  it('says what has happened where another operator was faster', async () => {
    const kept = await keptJob(app.api, 'failed')
    const { page, open, see } = await openConsole()
    await open('/admin/jobs?state=failed')
    const input = { params: { jobId: kept.jobId } }
    await app.api.call('retryJob', { job: kept.job }, operator.key, input)
    await page.getByRole('button', { name: `Try again ${kept.job} ${kept.jobId}` }).click()
    await see('Nothing was done: the job is in another state by now. Look at it again.')
  })

  it('goes on where a page ends, with the same search', async () => {
    const oldest = await keptJob(app.api, 'created')
    for (let n = 0; n < 20; n++) await keptJob(app.api, 'created')
    const { page, open } = await openConsole()
    await open(`/admin/jobs?job=${oldest.job}&state=waiting`)
    const row = page.getByRole('listitem').filter({ hasText: oldest.jobId })
    expect(await row.count()).toBe(0)
    await page.getByRole('link', { name: 'Next page →' }).click()
    await row.waitFor()
    await page.getByRole('link', { name: '← First page' }).click()
    await row.waitFor({ state: 'detached' })
    expect(await page.getByLabel('State', { exact: true }).inputValue()).toBe('waiting')
  })

  it('says what to do where no job is found', async () => {
    const { open, see } = await openConsole()
    await open('/admin/jobs?job=notice-log&state=cancelled')
    await see('No job is like that. Choose another queue or state.')
  })

  it('has no buttons for an operator who may only see jobs, and begins there', async () => {
    await keptJob(app.api, 'failed')
    const { page, open } = await operatorWith(['job:read'])
    await open('/admin')
    await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor()
    await page.getByText('PrinterError: out of paper').first().waitFor()
    expect(await page.getByRole('button', { name: /^(?:Try again|Cancel)/ }).count()).toBe(0)
  })

  it('is neither shown nor offered to an operator who may not see jobs', async () => {
    const { page, open, see } = await operatorWith(['user:read', 'audit:read'])
    await open('/admin/jobs')
    await see('the permission job:read')
    const tabs = page.getByRole('navigation', { name: 'Administration' })
    await tabs.getByRole('link', { name: 'People' }).waitFor()
    expect(await tabs.getByRole('link', { name: 'Jobs' }).count()).toBe(0)
  })
})

/** What of a page is smaller than a finger needs, except links within a sentence (WCAG 2.5.8). */
const tooSmall = () => {
  const isInSentence = (each: Element) => {
    const around = each.parentElement?.textContent?.replace(each.textContent ?? '', '') ?? ''
    return getComputedStyle(each).display === 'inline' && around.trim().length > 30
  }
  return [...document.querySelectorAll('main a, main button, main summary, nav a, .svc-page a')]
    .filter((each) => each.checkVisibility() && !isInSentence(each))
    .map((each) => ({ text: each.textContent, ...each.getBoundingClientRect().toJSON() }))
    .filter(({ width, height }) => width < 24 || height < 24)
    .map(({ text, width, height }) => `${text}: ${width} × ${height}`)
}

describe('every page of the console, on a phone', () => {
  it('has no link or button that is smaller than 24 pixels', async () => {
    const { userId } = await someone()
    await app.api.call('suspendUser', { reason: 'Small' }, operator.key, { params: { userId } })
    const { jobId } = await keptJob(app.api, 'failed')
    const { page, open } = await openConsole()
    const paths = [
      'people',
      `people/${userId}`,
      'invitations',
      `audit?target=${userId}`,
      'live',
      'jobs',
      'jobs?state=failed',
      `jobs/${jobId}`,
      'programs',
      'limits',
      'server',
    ]
    for (const path of paths) {
      await open(`/admin/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await page.evaluate(tooSmall), path).toEqual([])
    }
    const stranger = await newVisitor()
    await stranger.open('/')
    await stranger.see('Everyone can read the board.')
    expect(await stranger.page.evaluate(tooSmall)).toEqual([])
  })

  it('shows its first result without the further filters, which open where one is set', async () => {
    await someone()
    const { page, open } = await openConsole()
    const role = page.getByLabel('Role', { exact: true })
    await page.getByRole('list', { name: 'Users' }).waitFor()
    const { bottom } = await page
      .getByRole('listitem')
      .filter({ hasText: '@example.com' })
      .first()
      .evaluate((each) => each.getBoundingClientRect().toJSON())
    expect(bottom).toBeLessThan(700)
    expect(await role.isVisible()).toBe(false)
    await open('/admin/people?role=user')
    expect(await role.isVisible()).toBe(true)
    expect(await role.inputValue()).toBe('user')
  })

  it('moves the selected tab into sight, and fades the edge where more follow', async () => {
    const { page, open } = await openConsole()
    const row = page.getByRole('navigation', { name: 'Administration' }).getByRole('list')
    const more = () => row.getAttribute('data-more')
    await expect.poll(more).toBe('right')
    expect(await row.evaluate((each) => getComputedStyle(each).maskImage)).toContain('gradient')
    await open('/admin/server')
    await expect.poll(more).toBe('left')
    const isSeen = await row.evaluate((each) => {
      const [tab, around] = [each.querySelector('[aria-current]'), each.getBoundingClientRect()]
      const { left = 0, right = 0 } = tab?.getBoundingClientRect() ?? {}
      return left >= around.left && right <= around.right + 1
    })
    expect(isSeen).toBe(true)
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await page.setViewportSize({ width: 1280, height: 700 })
    await expect.poll(more).toBe('')
  })

  it('says to an operator who is no superadmin why they see no roles to give', async () => {
    const { userId } = await someone()
    const { page, open, see } = await operatorWith(['user:read', 'user:write'])
    await open(`/admin/people/${userId}`)
    await see('Only a super administrator can give and take roles.')
    expect(await page.getByLabel('Another role').count()).toBe(0)
  })
})
