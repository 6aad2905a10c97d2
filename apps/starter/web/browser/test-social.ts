import { continueWith, nameOf, type Provider, somebodyThere } from './social-visitor.ts'
import { newVisitor, type Visitor } from './visitor.ts'

export const linkedPage = '/account/security/linked'

export const isAt = ({ page, web }: Visitor, path: string) => page.waitForURL(`${web}${path}`)
export const hasTitle = ({ page }: Visitor, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** A user whose account was made by a provider. */
export async function arrivedBy(provider: Provider) {
  const { email } = somebodyThere()
  const visitor = await newVisitor()
  await continueWith(visitor, provider)
  await isAt(visitor, '/account')
  return { ...visitor, email }
}

export async function unlink(visitor: Visitor, provider: Provider) {
  await visitor.open(linkedPage)
  await visitor.click(`Unlink ${nameOf(provider)}`)
  await visitor.click('Yes, unlink it')
}
