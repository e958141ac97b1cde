export { createClient, } from './client.js';
export { KnowledgeError } from './request.js';
export { answerTyping } from './typing.js';
