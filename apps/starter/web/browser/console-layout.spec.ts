import { describe, expect, it } from 'vitest'
import { openConsole, operator, operatorWith, someone } from './console-operator.ts'
import { keptJob } from './kept-job.ts'
import { newMember, newOrganization } from './organization.ts'
import { app } from './running-web-app.ts'
import { newVisitor } from './visitor.ts'

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
    const { owner, org } = await newOrganization('Acme')
    await newMember(owner, org)
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
      'organizations',
      `organizations/${org}`,
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
    await open('/admin/organizations')
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
