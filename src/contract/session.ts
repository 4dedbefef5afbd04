/** The name of a session: it appears unescaped in URLs, in PromQL and in lists of settings. */
export const sessionNamePattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/

/** The query parameter that names a request's session. */
export const sessionParameter = 'session'
