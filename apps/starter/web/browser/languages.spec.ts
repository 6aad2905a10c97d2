import { describe, expect, it, onTestFinished } from 'vitest'
import { app } from './running-web-app.ts'
import { signedInVisitor } from './visitor.ts'
import { whenLoaded } from './when-loaded.ts'

async function koreanVisitor() {
  const context = await app.browser.newContext({ locale: 'ko-KR' })
  onTestFinished(() => context.close())
  return context.newPage()
}

describe('the language of the account pages', () => {
  it('is the browser’s before sign-in, and no script of it is loaded for others', async () => {
    const korean = await koreanVisitor()
    const scripts: string[] = []
    korean.on('response', (answer) => {
      if (answer.request().resourceType() === 'script') scripts.push(answer.url())
    })
    await korean.goto(`${app.web}/login`)
    await whenLoaded(korean)
    await korean.getByRole('heading', { level: 1, name: '로그인' }).waitFor()
    expect(await korean.locator('main').getAttribute('lang')).toBe('ko')
    await korean.getByRole('button', { name: '로그인', exact: true }).click()
    await korean.getByText('이메일을 입력하세요.').waitFor()

    const { open, page } = await signedInVisitor(await app.api.createUser())
    const others: string[] = []
    page.on('response', (answer) => others.push(answer.url()))
    await open('/account')
    const own = scripts.filter((url) => !others.includes(url))
    const texts = await Promise.all(own.map(async (url) => (await fetch(url)).text()))
    expect(texts.filter((text) => text.includes('패스키로 로그인'))).toHaveLength(1)
    const shared = await Promise.all(
      others.filter((url) => url.endsWith('.js')).map(async (url) => (await fetch(url)).text()),
    )
    expect(shared.filter((text) => text.includes('패스키로 로그인'))).toEqual([])
  })

  it('is the account’s afterwards, and changes with it at once', async () => {
    const { open, click, see, page } = await signedInVisitor(await app.api.createUser())
    await open('/account')
    await page.getByLabel('Language').selectOption('ko')
    await click('Save')
    await see('프로필을 저장했습니다.')
    await open('/account/devices')
    await see('로그인되어 있는 기기입니다.')
    expect(await page.locator('main').first().getAttribute('lang')).toBe('ko')
    // The pages of the application have words of their own.
    await open('/')
    await page.getByRole('heading', { level: 1, name: '공지 게시판' }).waitFor()
    await page.getByRole('navigation', { name: '주 메뉴' }).getByText('실시간').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('ko')
  })
})
