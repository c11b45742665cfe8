/**
 * Words in which one group of letters, the first of its kind in the word, is written otherwise in American English:
 * `our` in `harbour` as `or`.
 */
export const wordsByLetters: readonly (readonly [british: string, american: string, words: string])[] = [
  [
    'tre',
    'ter',
    `
    accoutrements amphitheatre amphitheatres centilitre centilitres centimetre centimetres centre centrefold
    centrefolds centrepiece centrepieces centres epicentre epicentres goitre goitres kilometre kilometres
    lacklustre litre litres lustre metre metres micrometre micrometres millilitre millilitres millimetre
    millimetres mitre mitres reconnoitre reconnoitres saltpetre sceptre sceptres spectre spectres theatre
    theatregoer theatregoers theatres
    `,
  ],
  [
    'ae',
    'e',
    `
    aeon aeons aetiology anaemia anaemic archaeologically archaeologist archaeologists bougainvillaea
    bougainvillaeas chimaera chimaeras encyclopaedia encyclopaedias encyclopaedic faecal faeces gynaecological
    gynaecologist gynaecologists gynaecology haematological haematologist haematologists haematology haemoglobin
    haemophilia haemophiliac haemophiliacs haemorrhage haemorrhaged haemorrhages haemorrhaging haemorrhoids
    leukaemia mediaeval orthopaedic orthopaedics paederast paederasts paediatric paediatrician paediatricians
    paediatrics paedophile paedophiles paedophilia palaeolithic palaeontologist palaeontologists palaeontology
    primaeval toxaemia
    `,
  ],
  [
    'mme',
    'm',
    `
    aerogramme aerogrammes centigramme centigrammes gramme grammes kilogramme kilogrammes milligramme
    milligrammes programme programmes
    `,
  ],
  [
    'aes',
    'es',
    `
    aesthete aesthetes aesthetic aesthetically aesthetics anaesthesia anaesthetic anaesthetics anaesthetist
    anaesthetists anaesthetize anaesthetized anaesthetizes anaesthetizing caesarean caesareans praesidium
    praesidiums
    `,
  ],
  ['e', '', 'ageing axe bingeing glueing judgement likeable phoney storey'],
  [
    'ogue',
    'og',
    `
    analogue analogues catalogue catalogues dialogue dialogues epilogue epilogues monologue monologues prologue
    prologues
    `,
  ],
  [
    'l',
    'll',
    `
    appal appals cancelation cancelations crenelated distil distils enrol enrols enthral enthrals instal
    instalment instalments instals instil instils
    `,
  ],
  [
    'our',
    'or',
    `
    arbour arbours ardour armour armoured armourer armourers armouries armoury behaviour behavioural
    behaviourism behaviourist behaviourists behaviours belabour belaboured belabouring belabours candour clamour
    clamoured clamouring clamours clangour colour colourant colourants coloured coloureds colourful colourfully
    colouring colourize colourized colourizes colourizing colourless colours demeanour discolour discoloured
    discolouring discolours disfavour dishonour dishonourable dishonourably dishonoured dishonouring dishonours
    enamoured endeavour endeavoured endeavouring endeavours favour favourable favourably favoured favouring
    favourite favourites favouritism favours fervour flavour flavoured flavouring flavourings flavourless
    flavours flavoursome harbour harboured harbouring harbours honour honourable honourably honoured honouring
    honours humour humoured humouring humourless humours labour laboured labourer labourers labouring labours
    misbehaviour misdemeanour misdemeanours multicoloured neighbour neighbourhood neighbourhoods neighbouring
    neighbourliness neighbourly neighbours odour odourless odours parlour parlours rancour rigour rigours rumour
    rumoured rumours saviour saviours savour savoured savouries savouring savours savoury splendour splendours
    succour succoured succouring succours technicolour tricolour tricolours tumour tumours unfavourable
    unfavourably unsavoury valour vapour vapours vigour watercolour watercolours
    `,
  ],
  [
    'll',
    'l',
    `
    backpedalled backpedalling bedevilled bedevilling bejewelled bevelled calliper callipers callisthenics
    cancelled cancelling carolled carolling cavilled cavilling channelled channelling chilli chiselled
    chiselling councillor councillors counselled counselling counsellor counsellors crueller cruellest cudgelled
    cudgelling dialled dialling disembowelled disembowelling dishevelled drivelled drivelling duelled duelling
    enamelled enamelling fillet filleted filleting fillets funnelled funnelling gambolled gambolling gravelled
    grovelled grovelling gruelling gruellingly impanelled impanelling imperilled imperilling initialled
    initialling jewelled jeweller jewellers labelled labelling levelled leveller levellers levelling libelled
    libelling libellous marshalled marshalling marvelled marvelling marvellous marvellously modelled modeller
    modellers modelling panelled panelling panellist panellists parcelled parcelling pedalled pedalling
    pencilled pencilling quarrelled quarrelling ravelled ravelling refuelled refuelling remodelled remodelling
    revelled reveller revellers revelling rivalled rivalling shovelled shovelling shrivelled shrivelling
    signalled signalling snivelled snivelling snorkelled snorkelling spiralled spiralling squirrelled
    squirrelling stencilled stencilling swivelled swivelling tasselled towelled towelling tranquillity
    tranquillize tranquillized tranquillizer tranquillizers tranquillizes tranquillizing travelled traveller
    travellers travelling trialled trialling tunnelled tunnelling unequalled unravelled unravelling unrivalled
    untrammelled weaselled weaselling woollen woollens woollies woolly yodelled yodelling
    `,
  ],
  ['aul', 'al', 'baulk baulked baulking baulks'],
  ['o', 'oo', 'behove behoved behoves'],
  ['ss', 's', 'biassed biassing busses bussing gasses minibusses'],
  ['bre', 'ber', 'calibre calibres fibre fibreglass fibres sabre sabres sombre'],
  ['que', 'ck', 'cheque chequebook chequebooks cheques'],
  ['xion', 'ction', 'connexion connexions inflexion inflexions'],
  ['os', 'oz', 'cosier cosies cosiest cosily cosiness cosy'],
  ['y', 'i', 'cypher cyphers syphon syphoned syphoning syphons tyre tyres'],
  ['nce', 'nse', 'defence defenceless defences licence licenced licences offence offences pretence pretences'],
  [
    'oe',
    'e',
    `
    diarrhoea edoema foetal foetid foetus foetuses gonorrhoea homoeopath homoeopathic homoeopaths homoeopathy
    oesophagus oesophaguses oestrogen pharmacopoeia pharmacopoeias
    `,
  ],
  ['sc', 'sk', 'disc discs sceptic sceptical sceptically scepticism sceptics videodisc videodiscs'],
  [
    'augh',
    'af',
    `
    draught draughtboard draughtboards draughtier draughtiest draughts draughtsman draughtsmanship draughtsmen
    draughtswoman draughtswomen draughty
    `,
  ],
  ['tte', 't', 'epaulette epaulettes omelette omelettes'],
  ['gao', 'jai', 'gaol gaolbird gaolbirds gaolbreak gaolbreaks gaoled gaoler gaolers gaoling gaols'],
  ['ey', 'ay', 'grey greyed greying greyish greyness greys'],
  ['oeuvre', 'euver', 'manoeuvre manoeuvres outmanoeuvre outmanoeuvres'],
  [
    'oul',
    'ol',
    `
    mould moulded moulder mouldered mouldering moulders mouldier mouldiest moulding mouldings moulds mouldy
    moult moulted moulting moults remould remoulded remoulding remoulds smoulder smouldered smouldering
    smoulders
    `,
  ],
  ['ough', 'ow', 'plough ploughed ploughing ploughman ploughmen ploughs ploughshare ploughshares snowplough'],
  ['actis', 'actic', 'practise practised practises practising'],
  ['ph', 'f', 'sulphate sulphates sulphide sulphides sulphur sulphurous'],
  ['pp', 'p', 'worshipped worshipper worshipping'],
];
