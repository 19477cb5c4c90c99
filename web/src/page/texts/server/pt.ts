/** The server's words, by step type and reason code. */
import type { Texts } from "../es";

export const serverWords: Pick<Texts, "steps" | "advice"> = {
  steps: {
    DOCUMENT_OCR: { name: "Seu documento" },
    FACE_MATCH: { name: "Seu rosto e o do seu documento" },
    LIVENESS: { name: "Que você é uma pessoa diante da câmera" },
    GOVERNMENT_VERIFY: {
      name: "Registros oficiais",
      discloses: "Seus dados são comparados com os registros oficiais (RENAPO, INE, SAT).",
    },
    CREDIT: {
      name: "Seu histórico de crédito",
      discloses: "Seu histórico de crédito é consultado em um birô de crédito.",
    },
    AML_SCREEN: { name: "Listas de pessoas bloqueadas" },
    LOCATION: { name: "De onde você se conecta" },
    OTP: { name: "Um código de confirmação" },
    FORM: { name: "Um formulário" },
    ESIGNATURE: { name: "Sua assinatura eletrônica" },
    PROOF_OF_ADDRESS: { name: "Seu comprovante de residência" },
  },
  advice: {
    DOCUMENT_NOT_SUPPORTED:
      "Não conseguimos ler este documento. Use sua credencial do INE ou seu passaporte mexicano.",
    DOCUMENT_LAYOUT_UNKNOWN:
      "Não conhecemos este modelo de carteira. Use sua credencial do INE ou seu passaporte mexicano.",
    WRONG_DOCUMENT: "Este não é o documento pedido. Verifique qual é e tente de novo.",
    WRONG_SIDE: "Este é o outro lado. Vire o documento e tire a foto de novo.",
    DOCUMENT_EXPIRED: "Este documento venceu. Use um que esteja válido.",
    REQUIRED_FIELD_MISSING:
      "Este documento não mostra tudo o que precisamos. Mostre os dois lados ou use outro.",
    SEVERAL_DOCUMENTS: "Deixe um só documento na imagem e fotografe cada lado separadamente.",
    SCREEN_PHOTOGRAPHED: "Fotografe o próprio documento, não uma tela.",
    BLACK_AND_WHITE_COPY:
      "Fotografe seu documento original, em cores. Uma cópia em preto e branco não serve.",
    DOCUMENT_CUT_OFF: "Afaste um pouco a câmera: os quatro cantos devem aparecer.",
    IMAGE_TOO_SMALL: "Aproxime a câmera até que o documento preencha a imagem.",
    IMAGE_TOO_DARK: "Há pouca luz. Vá para perto de uma janela ou acenda uma lâmpada.",
    IMAGE_OVEREXPOSED: "Há luz demais. Desligue o flash e procure um pouco de sombra.",
    IMAGE_GLARE: "Evite o reflexo: incline um pouco o documento ou afaste-se da lâmpada.",
    IMAGE_BLURRED: "A imagem está tremida. Segure o telefone firme e espere o foco.",
    DOCUMENT_UNREADABLE: "Não conseguimos ler tudo. Tire outra foto, com boa luz e sem se mexer.",
    DOCUMENT_NOT_RECOGNIZED:
      "Não encontramos seu documento. Coloque-o em uma mesa lisa e preencha a imagem.",
    PAGE_NOT_RECOGNIZED: "Uma das fotos não mostra um documento que conhecemos. Tire-a de novo.",
    PAGE_NOT_CONFIRMED:
      "Não pudemos confirmar que esta página é sua. Tire outra foto, nítida e completa.",
    FIELDS_UNCERTAIN: "Alguns dados são difíceis de ler. Aproxime a câmera, com luz uniforme.",
    PORTRAIT_NOT_FOUND:
      "Não vemos a foto do seu documento. Mostre o lado com seu retrato, sem cobri-lo.",
    PORTRAIT_TOO_SMALL: "Aproxime a câmera do documento: seu retrato está pequeno demais.",
    PORTRAIT_BLURRED:
      "O retrato do documento está borrado. Segure o telefone firme e tente de novo.",
    FACE_NOT_FOUND: "Não vemos seu rosto. Olhe para a câmera, sem óculos escuros nem máscara.",
    SEVERAL_FACES: "Só você deve aparecer. Procure um lugar sem ninguém atrás de você.",
    FACE_TOO_SMALL: "Aproxime-se: seu rosto está pequeno demais na imagem.",
    FACE_BLURRED: "A imagem está borrada. Segure o telefone firme, com mais luz.",
    SELFIE_SHOWS_DOCUMENT: "Tire a foto de você, sem o documento na imagem.",
    LIVENESS_NOT_PROVEN: "Precisamos ver você ao vivo: abra a câmera e siga os movimentos.",
    LIVENESS_FACE_NOT_FOUND: "Mantenha o rosto inteiro na imagem até o fim, com boa luz.",
    LIVENESS_SEVERAL_FACES:
      "Só você deve aparecer. Procure um lugar onde esteja sem outras pessoas.",
    LIVENESS_FRAMES_DISORDERED:
      "Faça cada movimento uma vez, devagar, e volte a olhar para a frente.",
    LIVENESS_TOO_FAST: "Vá com calma: leia cada instrução e então faça o movimento.",
    LIVENESS_MOVE_NOT_SEEN: "Faça cada movimento com mais clareza, com o rosto bem iluminado.",
    LIVENESS_LIGHT_NOT_SEEN:
      "Aumente o brilho da tela, aproxime-se e procure um lugar com menos luz.",
    PICTURE_ASKED_AGAIN: "Tire a foto de novo: com boa luz, nítida e completa.",
    PROOF_NOT_RECOGNIZED: "Use uma conta de luz, água, gás ou telefone, ou um extrato do banco.",
    PROOF_UNREADABLE:
      "Não lemos o nome, o endereço ou a data. Tire uma foto mais nítida de toda a folha.",
    PROOF_ISSUER_UNKNOWN:
      "Não conhecemos quem emitiu este papel. Use outra conta ou um extrato do banco.",
    PROOF_TOO_OLD: "Este papel é antigo demais. Use o mais recente.",
    PROOF_NAME_DIFFERS: "Este papel está em nome de outra pessoa. Use um em seu nome.",
    PROOF_UNCERTAIN: "Não lemos bem todos os dados. Tire outra foto, com boa luz e sem se mexer.",
  },
};
