import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, STREAMED } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { PrivacyService } from './privacy.service.js';

@Controller()
export class PrivacyController {
  constructor(@Inject(PrivacyService) private readonly privacy: PrivacyService) {}

  @Endpoint(routes.exportUser)
  async exportUser(call: Call<typeof routes.exportUser>): Promise<typeof STREAMED> {
    const lines = await this.privacy.export(call);
    call.raw.reply.type(routes.exportUser.media).send(lines);
    return STREAMED;
  }

  @Endpoint(routes.eraseUser)
  async eraseUser(call: Call<typeof routes.eraseUser>) {
    return this.privacy.erase(call);
  }

  @Endpoint(routes.forgetConversation)
  async forgetConversation(call: Call<typeof routes.forgetConversation>) {
    return this.privacy.forget(call);
  }
}
