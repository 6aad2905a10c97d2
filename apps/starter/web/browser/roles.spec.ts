import { expect, it } from 'vitest'
import { app } from './running-web-app.ts'
import { signedInVisitor } from './visitor.ts'

it('a role with a permission of the application is created, given and changed, and counts at once', async () => {
  const member = await app.api.createUser()
  const board = await signedInVisitor(member)
  await board.open('/')
  await board.see('Your role can read notices, but not post them.')

  const root = await app.api.signedInUser({ role: 'superadmin' })
  const admin = await signedInVisitor(root)
  const { page, open, fill, click, see } = admin
  await open('/admin/roles')
  await fill('Name', 'writer')
  await fill('Display name', 'Writer')
  await page.getByLabel('Post notices notice:write', { exact: true }).check()
  await click('Create role')
  await see('The role “Writer” is created.')

  await open(`/admin/people/${member.userId}`)
  const another = page.getByLabel('Another role', { exact: true })
  expect(await another.inputValue()).toBe('')
  await another.selectOption('writer')
  await click('Give this role')
  await see(`Give ${member.email} the role Writer (writer)?`)
  const { body } = await app.api.call('readUser', undefined, root.key, {
    params: { userId: member.userId },
  })
  expect(body.roles).toEqual(['user'])
  await click('Yes, give it')
  await see(`${member.email} has the role Writer (writer) now.`)
  await board.open('/')
  await board.page.getByRole('textbox', { name: 'New notice' }).waitFor()

  await open('/admin/roles')
  await click('Edit writer')
  // The form of a new role has such a box too, and is there before the editor is. Save is called otherwise while it runs.
  const cancel = page.getByRole('button', { name: 'Cancel', exact: true })
  const editor = page.locator('form', { has: cancel })
  await editor.getByLabel('Post notices notice:write', { exact: true }).uncheck()
  await click('Save')
  await cancel.waitFor({ state: 'detached' })
  await board.open('/')
  await board.see('Your role can read notices, but not post them.')

  await click('Delete writer')
  await click('Delete it')
  await see('Accounts that have this role: 1. Give them another one first.')
})
