import { headers } from 'next/headers.js'
import { chooseLanguage, languagesAskedFor } from '../../page/client.ts'
import { knownSession } from './server-account.ts'

/**
 * The language for this visitor, of those that your app has words for: the account's, or the browser's for
 * a visitor who is not signed in. English if you have none that fits.
 */
export async function pageLocale(languages: readonly string[]): Promise<string> {
  const session = await knownSession()
  const wanted = session
    ? [session.locale]
    : languagesAskedFor((await headers()).get('accept-language'))
  return chooseLanguage(wanted, languages)
}
