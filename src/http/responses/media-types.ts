export const jsonMediaType = 'application/json'
export const problemMediaType = 'application/problem+json'
export const expositionMediaType = 'text/plain; version=0.0.4; charset=utf-8'
export const htmlMediaType = 'text/html; charset=utf-8'
