/**
 * Every way in which a response fails is one refusal. The library throws on most of them, with messages that tell what
 * was expected, and what it throws on a crafted response is not to be known.
 */
export async function checkCeremony<Checked>(check: () => Promise<Checked | null>) {
  try {
    return await check()
  } catch {
    return null
  }
}
